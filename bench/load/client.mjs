// What the load scripts have in common: a server of their own, calls, figures, and bounds that break the run.
import net from 'node:net';
import { Conn, rpcOf } from '../lib/http.mjs';
import { Wire } from '../lib/mcp.mjs';
import { option } from '../lib/options.mjs';
import { ready, start } from '../lib/proc.mjs';

export const MODERN = { era: '2026-07-28' };

/** A server with these settings, up; it is stopped by whoever started it. */
export async function serve(settings = {}, target = {}) {
  const env = { PLATFORM: option('platform', 'express'), ...settings };
  const server = start({ name: 'load', cmd: ['node', 'load/server.mjs'], env, ...target });
  await ready(server);
  server.wire = new Wire(server.target);
  return server;
}

/** The text of a tools/call as it is sent. */
export function call(wire, name, args = {}, { id = 1_000_001, session } = {}) {
  return wire.maker('tools/call', { name, arguments: args }, session)(id);
}

/** Calls a tool on a connection of its own. */
export async function callOnce(server, name, args = {}) {
  const connection = await server.wire.open(false);
  const answer = await connection.request(call(server.wire, name, args));
  connection.close();
  return { ...answer, message: rpcOf(answer) };
}

export async function factsOf(server) {
  return (await callOnce(server, 'facts')).message.result.structuredContent;
}

/** Heap after two collections, in bytes, buffers included. */
export async function heapOf(server) {
  const { heapUsed, external } = (await server.stats({ gc: true })).mem;
  return heapUsed + external;
}

/** Bytes on a bare socket; what the server says is kept in `text`. */
export function rawSocket(server, bytes) {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host: server.wire.host, port: server.wire.port, noDelay: true });
    socket.text = '';
    socket.once('error', reject);
    socket.setEncoding('latin1').on('data', (chunk) => (socket.text += chunk));
    socket.once('connect', () => {
      socket.off('error', reject).on('error', () => undefined);
      socket.write(bytes, 'latin1');
      resolve(socket);
    });
  });
}

export const connectionsTo = ({ wire }, count) =>
  Promise.all(Array.from({ length: count }, () => new Conn(wire.host, wire.port).connect()));

/** Echo calls one after the other on some connections until `until` settles; the time each took, in ms. */
export async function honestCalls(server, connections, until) {
  const times = [];
  let over = false;
  const worker = async () => {
    const connection = await server.wire.open(false);
    while (!over) {
      const from = performance.now();
      const answer = await connection.request(call(server.wire, 'echo', { text: 'honest' }));
      times.push(performance.now() - from);
      if (rpcOf(answer).result?.content?.[0]?.text !== 'honest') throw new Error(`wrong answer: ${answer.body}`);
    }
    connection.close();
  };
  const workers = Promise.all(Array.from({ length: connections }, worker));
  await Promise.race([until, workers]);
  over = true;
  await workers;
  return times;
}

export function percentile(times, part) {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** Figures as they come, and the bounds they broke. */
export class Figures {
  broken = [];

  constructor(title) {
    console.log(`## ${title}`);
  }

  /** One figure; `most`: the largest it may be; `exactly`: what it must be. */
  add(name, value, { unit = '', most, least, exactly } = {}) {
    const bad =
      (most !== undefined && !(value <= most)) ||
      (least !== undefined && !(value >= least)) ||
      (exactly !== undefined && value !== exactly);
    const bounds = [
      most === undefined ? '' : ` ≤ ${most}`,
      least === undefined ? '' : ` ≥ ${least}`,
      exactly === undefined ? '' : ` = ${exactly}`,
    ].join('');
    const shown = typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(2) : String(value);
    console.log(`${bad ? 'BROKEN ' : ''}${name}: ${shown}${unit && ` ${unit}`}${bounds && ` (must be${bounds})`}`);
    if (bad) this.broken.push(name);
  }
}
