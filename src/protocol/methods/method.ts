import type { Call, RequestMessage } from '../call.js';
import type { CallContext } from '../call-context.js';
import type { Features } from '../capabilities.js';
import type { Reply } from '../reply.js';
import type { Resolver } from '../resolver.js';
import type { ServerOptions } from '../server-options.js';

/** What every method of one server works with. */
export interface MethodHost {
  readonly options: ServerOptions;
  readonly resolver: Resolver;
}

export interface MethodCall extends MethodHost {
  readonly message: RequestMessage;
  readonly call: Call;
  readonly context: CallContext;
}

/** A JSON-RPC method: answers with a reply, or throws what `failures.ts` maps. */
export type Method = (request: MethodCall) => Promise<Reply> | Reply;

const NO_EXTENSIONS = Object.freeze({});

export function featuresOf({ options, resolver }: MethodHost, { revision, abilities }: Pick<Call, 'revision' | 'abilities'>): Features {
  return { revision, abilities, snapshot: resolver.catalog.current, extensions: options.extensions ?? NO_EXTENSIONS, tasks: false };
}
