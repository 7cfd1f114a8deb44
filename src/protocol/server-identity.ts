import type { Implementation } from './call.js';
import { implementationFor } from './capabilities.js';
import type { McpContext } from './context.js';
import { ReplyWriter, type Reply } from './reply.js';
import type { Revision } from './revisions.js';

/** What a server says of itself. */
export interface ServerIdentity {
  readonly info: Implementation;
  readonly instructions?: string;
}

/** Who the server is to the caller of a request: the same object wherever it is the same. */
export type Identify = (context: McpContext) => ServerIdentity;

/** Prints replies with the server's identity in them. What is made of an identity is made once. */
export class IdentityWriters {
  readonly #writers = new WeakMap<ServerIdentity, Map<Revision, ReplyWriter>>();
  readonly #own: ReadonlyMap<Revision, ReplyWriter>;

  constructor(
    own: ServerIdentity,
    revisions: readonly Revision[],
    private readonly identify: Identify | undefined,
  ) {
    this.#own = new Map(revisions.map((revision) => [revision, writerOf(own, revision)]));
  }

  text(reply: Reply, revision: Revision, context: McpContext): string {
    // Handshake revisions say it in `initialize` alone.
    const writer =
      this.identify === undefined || !revision.envelope
        ? this.#own.get(revision)
        : this.#writer(this.identify(context), revision);
    return writer?.text(reply, revision) ?? `{${reply.members}}`;
  }

  #writer(identity: ServerIdentity, revision: Revision): ReplyWriter {
    let writers = this.#writers.get(identity);
    if (writers === undefined) this.#writers.set(identity, (writers = new Map<Revision, ReplyWriter>()));
    let writer = writers.get(revision);
    if (writer === undefined) writers.set(revision, (writer = writerOf(identity, revision)));
    return writer;
  }
}

function writerOf({ info }: ServerIdentity, revision: Revision): ReplyWriter {
  return new ReplyWriter(implementationFor(info, revision));
}
