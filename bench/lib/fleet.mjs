// Several servers up at once, measured in turn, so that what the machine does meanwhile meets them all alike.
import { load, openAll, revive } from './load.mjs';
import { median, ready, start } from './proc.mjs';

/** Starts and warms each; one that fails is reported and left out. */
export async function launch(contestants, { tools, warm }) {
  const fleet = [];
  for (const contestant of contestants) {
    const server = start(contestant, { tools });
    try {
      await ready(server);
      const pool = await openAll(server.target, warm.connections);
      const warmed = await load(server.target, pool, { ...warm, tools });
      for (const connection of pool.conns) connection.close();
      fleet.push({ name: contestant.name, contestant, server, rss: (await server.stats()).mem.rss });
      console.error(`${contestant.name}: warmed with ${warmed.n} calls`);
    } catch (error) {
      console.error(`${contestant.name}: ${error.message}`);
      await server.stop();
    }
  }
  return fleet;
}

/** Rounds of one work over the fleet, the order moving on from round to round. */
export async function compare(fleet, { workload, connections, tools, rounds, requests, roundMs, warm, warmMs }) {
  const columns = fleet.map((member) => ({ ...member, rounds: [] }));
  for (const column of columns) {
    await attempt(column, async () => {
      column.pool = await openAll(column.server.target, connections);
      await load(column.server.target, column.pool, { workload, requests: warm, maxMs: warmMs, tools });
    });
  }
  for (let round = 0; round < rounds; round += 1) {
    for (let i = 0; i < columns.length; i += 1) {
      const column = columns[(i + round * 5) % columns.length];
      await attempt(column, async () => {
        const { server, pool } = column;
        await revive(pool);
        await load(server.target, pool, { workload, requests: connections, maxMs: 2000, tools });
        const before = await server.stats();
        const measured = await load(server.target, pool, { workload, requests, maxMs: roundMs, tools });
        const after = await server.stats();
        column.rounds.push({ ...measured, cpu: (after.cpuUs - before.cpuUs) / measured.n, rss: after.mem.rss });
      });
    }
  }
  for (const column of columns) for (const connection of column.pool?.conns ?? []) connection.close();
  return columns;
}

async function attempt(column, work) {
  if (column.failed !== undefined) return;
  try {
    await work();
  } catch (error) {
    column.failed = error.message;
    console.error(`${column.name}: ${error.message}`);
  }
}

export const middle = (column, figure) => median(column.rounds.map((round) => round[figure]));

/** Median of the ratios to the reference in the same round. */
export function ratio(column, reference, figure = 'cpu') {
  if (reference === undefined || reference.failed !== undefined) return Number.NaN;
  return median(column.rounds.map((round, i) => round[figure] / reference.rounds[i][figure]));
}
