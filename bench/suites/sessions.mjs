// Memory per open session and per open event stream.
import { setTimeout as sleep } from 'node:timers/promises';
import { Conn } from '../lib/http.mjs';
import { MODERN, Wire } from '../lib/mcp.mjs';
import { number, pick } from '../lib/options.mjs';
import { ready, start } from '../lib/proc.mjs';
import { fixed, kilobytes, save, table } from '../lib/report.mjs';

const NAMES = [
  ...['raw-http', 'ours-express-sessions', 'ours-express-sessions-modern', 'ours-fastify-sessions'],
  ...['sdk1-stateful', 'sdk2-stateful', 'mcp-nest-stateful', 'fastmcp-stateful'],
  ...['sdk2-express-modern', 'mcp-nest-modern'],
];

async function snapshot(server) {
  await sleep(300);
  const { heapUsed, external = 0, rss } = (await server.stats({ gc: true })).mem;
  return { heap: heapUsed + external, rss };
}

/** Opens sessions over 50 connections. */
async function openSessions(wire, connections, count) {
  const ids = [];
  let left = count;
  await Promise.all(
    connections.map(async (connection) => {
      while (left-- > 0) ids.push(await wire.initialize(connection));
    }),
  );
  return ids;
}

/** The head of the answer to a request for an event stream. */
function openStream(connection, request) {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ status: 0, head: 'no head of an answer' }), 3000);
    const settle = (answer) => {
      clearTimeout(timer);
      resolve(answer);
    };
    connection.onHead = settle;
    connection.send(request, (error, answer) => settle(error ? { status: 0, head: error.message } : answer));
  });
}

async function measure(contestant, tools, count) {
  const server = start(contestant, { tools });
  const connections = [];
  try {
    await ready(server);
    const wire = new Wire(server.target);
    const row = { tools, name: contestant.name, streams: 0, error: '' };
    let ids = [];
    let before = await snapshot(server);
    if (contestant.session) {
      for (let i = 0; i < 50; i += 1) connections.push(await wire.open(false));
      await openSessions(wire, connections, 100);
      const warm = await snapshot(server);
      const { cpuUs } = await server.stats();
      ids = await openSessions(wire, connections, count);
      row.initializeCpu = ((await server.stats()).cpuUs - cpuUs) / count;
      before = await snapshot(server);
      row.heapPerSession = (before.heap - warm.heap) / count;
      row.rssPerSession = (before.rss - warm.rss) / count;
    }
    const listen = wire.maker('subscriptions/listen', { notifications: { toolsListChanged: true } });
    for (let i = 0; i < count; i += 1) {
      const connection = await new Conn(wire.host, wire.port).connect();
      connections.push(connection);
      const get = wire.head('GET', contestant.session ? { 'Mcp-Session-Id': ids[i] } : {}) + '\r\n';
      const { status, head } = await openStream(connection, contestant.era === MODERN ? listen(1_000_000 + i) : get);
      if (status !== 200 || !/event-stream/i.test(head)) {
        row.error = `${status} ${head.slice(0, 80).split('\r\n')[0]}`;
        break;
      }
      row.streams += 1;
    }
    const after = await snapshot(server);
    if (row.streams > 0) {
      row.heapPerStream = (after.heap - before.heap) / row.streams;
      row.rssPerStream = (after.rss - before.rss) / row.streams;
    }
    return row;
  } finally {
    for (const connection of connections) connection.close();
    await server.stop();
  }
}

export async function sessions() {
  const count = number('n', 1000);
  const rows = [];
  for (const tools of [2, 200]) {
    for (const contestant of pick(NAMES)) {
      await measure(contestant, tools, count).then(
        (row) => rows.push(row),
        (error) => console.error(`${contestant.name}: ${error.message}`),
      );
    }
  }
  table(
    `${count} open sessions, then ${count} open streams; heap = heapUsed + external after GC`,
    [
      ...['contestant', 'tools', 'CPU µs per handshake', 'heap kB/session', 'RSS kB/session'],
      ...['streams', 'heap kB/stream', 'RSS kB/stream', 'note'],
    ],
    rows.map((row) => [
      row.name,
      row.tools,
      fixed(row.initializeCpu, 0),
      kilobytes(row.heapPerSession),
      kilobytes(row.rssPerSession),
      row.streams,
      kilobytes(row.heapPerStream),
      kilobytes(row.rssPerStream),
      row.error,
    ]),
  );
  save('sessions', rows);
}
