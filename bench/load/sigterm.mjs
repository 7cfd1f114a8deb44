// SIGTERM in the middle of calls: what was begun is answered, what was not begun is refused, and the process ends.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { rpcOf } from '../lib/http.mjs';
import { call, Figures, serve } from './client.mjs';

const CLIENTS = 100;

export async function sigterm() {
  const figures = new Figures(`SIGTERM while ${CLIENTS} clients call`);
  const folder = mkdtempSync(join(tmpdir(), 'load-'));
  const report = join(folder, 'report.json');
  const server = await serve({ REPORT: report });
  const counts = { answered: 0, refused: 0, lost: 0 };
  let ended = false;
  const client = async () => {
    const connection = await server.wire.open(false);
    while (!ended) {
      const answer = await connection.request(call(server.wire, 'wait', { ms: 50 })).catch(() => undefined);
      if (answer === undefined) {
        counts.lost += 1;
        return;
      }
      if (rpcOf(answer).result?.content?.[0]?.text === 'waited') counts.answered += 1;
      else counts.refused += 1;
      if (connection.dead) return;
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, client));
  await sleep(2000);
  const from = performance.now();
  server.child.kill('SIGTERM');
  const { sig } = await Promise.race([server.exited, sleep(15_000, { sig: 'still alive' })]);
  const ms = performance.now() - from;
  ended = true;
  await clients;
  await server.stop();
  const facts = JSON.parse(readFileSync(report, 'utf8'));
  rmSync(folder, { recursive: true });
  figures.add('handlers begun', facts.started);
  figures.add('of those, not answered', facts.started - counts.answered, { exactly: 0 });
  figures.add('told to come elsewhere', counts.refused);
  figures.add('connections closed before anything was begun', counts.lost);
  figures.add('unhandled rejections', facts.unhandled, { exactly: 0 });
  figures.add('ended by', sig, { exactly: 'SIGTERM' });
  figures.add('time until the process was gone', ms, { unit: 'ms', most: 5000 });
  return figures.broken;
}
