import type { INestApplicationContext } from '@nestjs/common';
import { callerOf } from './endpoint/caller-identity.js';
import { McpRegistrations } from './assembly/mcp-registrations.js';
import type { ClientCapabilities } from './protocol/call.js';
import { findRevision, type RevisionName } from './protocol/revisions.js';
import type { ClientAnswers } from './transport/memory/client-answers.js';
import { MemoryClient, type MemoryResult } from './transport/memory/memory-client.js';
import { McpServer, RUNNING } from './assembly/mcp-server.js';
import type { RunningServer } from './assembly/running-server.js';
import { PIPE_RESPONSE, type CallOrigin } from './transport/stdio/stand-ins.js';

export type { ClientAnswers, ElicitAnswer } from './transport/memory/client-answers.js';
export type { MemoryClient, MemoryNotification, MemoryResult } from './transport/memory/memory-client.js';

/** An application, the compiled module of a test, or a server without an application. */
export type InMemoryTarget = Pick<INestApplicationContext, 'init' | 'get'> | McpServer;

export interface InMemoryOptions {
  /** Default: the newest one that the server serves. */
  readonly revision?: RevisionName;
  /** Who calls: `context.identity`, and `request.user` for guards. Default: nobody. */
  readonly identity?: unknown;
  /** More of the request that handlers and their guards see, e.g. `headers`. */
  readonly request?: Readonly<Record<string, unknown>>;
  /** Which server, where the application has several. */
  readonly server?: string;
  /** How questions of the server are answered. */
  readonly answers?: ClientAnswers;
  /** What the client declares. Default: what the answers need. */
  readonly capabilities?: ClientCapabilities;
}

/** A client in this process, once the application has started. */
export async function openInMemory(
  target: InMemoryTarget,
  { revision: name, identity, request, server: serverName, ...client }: InMemoryOptions,
): Promise<{ readonly client: MemoryClient; readonly greeting: MemoryResult; readonly revision: RevisionName }> {
  const server = await serverOf(target, serverName);
  const revision = name === undefined ? server.protocol.revisions[0] : findRevision(name);
  if (revision === undefined) throw new TypeError(`There is no protocol revision ${JSON.stringify(name)}`);
  const { identityKey } = server.options;
  const { key } = callerOf({}, { identity: () => identity, ...(identityKey === undefined ? {} : { identityKey }) });
  // Guards may write on the request: each message has its own.
  const origin = (): CallOrigin => ({
    transport: 'memory',
    request: { headers: {}, ...(identity === undefined ? {} : { user: identity }), ...request },
    response: PIPE_RESPONSE,
    identity,
    identityKey: key,
  });
  const opened = await MemoryClient.open({
    server: server.protocol,
    revision,
    logger: server.logger,
    bus: server.bus,
    origin,
    ...client,
  });
  return { ...opened, revision: revision.name };
}

async function serverOf(target: InMemoryTarget, name: string | undefined): Promise<RunningServer> {
  if (target instanceof McpServer) return target[RUNNING];
  await target.init();
  return target.get(McpRegistrations).find(name).server;
}
