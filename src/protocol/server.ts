import type { Call, MirroredValue, NotificationMessage, Outcome, ProtocolServer, RequestMessage } from './call.js';
import { CallContext } from './call-context.js';
import { serves } from './capabilities.js';
import { mirroredOf } from './catalog/catalog.js';
import type { EntryOf } from './catalog/catalog-entries.js';
import { encodeError, encodeResult } from './results/encoder.js';
import { ErrorCode, ProtocolError } from './errors.js';
import { failure, OPAQUE, report } from './failures.js';
import { isObject } from './json/json.js';
import { Capacity } from './limits.js';
import { completionMethods } from './methods/completion.js';
import { lifecycleMethods } from './methods/lifecycle.js';
import { listMethods } from './methods/lists.js';
import { featuresOf, type Method, type MethodHost } from './methods/method.js';
import { promptMethods } from './methods/prompts.js';
import { resourceMethods } from './methods/resources.js';
import { skillMethods } from './methods/skills.js';
import { subscriptionMethods } from './methods/subscriptions.js';
import { taskMethods } from './methods/tasks.js';
import { toolMethods } from './methods/tools.js';
import { valueAt } from './catalog/mirrored-parameters.js';
import type { Reply } from './reply.js';
import { Resolver } from './catalog/resolver.js';
import type { Revision } from './revisions.js';
import { Round, SUSPENDED } from './questions/round.js';
import { inputRequired, questionsFor } from './questions/rounds.js';
import { IdentityWriters } from './server-identity.js';
import type { ServerOptions } from './server-options.js';
import { TaskRunner } from './tasks/task-runner.js';

/** Methods whose `Mcp-Name` repeats a value of the body (HDR-04, HDR-05). */
const NAMED: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

/** MCP as a function: a message and where it came from in, the answer out. One instance serves every caller. */
export class McpCore implements ProtocolServer {
  readonly revisions: readonly Revision[];
  readonly #host: MethodHost;
  readonly #methods: ReadonlyMap<string, Method>;
  readonly #writers: IdentityWriters;

  constructor(private readonly options: ServerOptions) {
    this.revisions = options.revisions;
    this.#host = {
      options,
      resolver: new Resolver(options),
      capacity: new Capacity(options.limits),
      tasks:
        options.tasks === undefined
          ? undefined
          : new TaskRunner(options, options.tasks, (reply, { call, context }) =>
              this.#writers.text(reply, call.revision, context),
            ),
    };
    this.#methods = new Map([
      ...lifecycleMethods,
      ...listMethods,
      ...toolMethods,
      ...resourceMethods,
      ...promptMethods,
      ...completionMethods,
      ...subscriptionMethods,
      ...taskMethods,
      ...skillMethods,
    ]);
    this.#writers = new IdentityWriters(options, options.revisions, options.identify);
  }

  get parameterHeaders(): readonly string[] {
    const { entries } = this.options.catalog.current.sections.tool;
    return [...new Set(entries.flatMap((entry) => mirroredOf(entry).map(({ header }) => header)))];
  }

  async handle(message: RequestMessage, call: Call): Promise<Outcome> {
    let context: CallContext | undefined;
    try {
      const method = this.#methods.get(message.method);
      if (method === undefined || !serves(message.method, featuresOf(this.#host, call))) {
        return unknownMethod(message, call.revision);
      }
      const opening = questionsFor(message, call, this.options);
      const questions = opening instanceof Promise ? await opening : opening;
      context = new CallContext(message, call, this.options, questions);
      const round = questions instanceof Round ? questions : undefined;
      const { options, resolver, capacity, tasks } = this.#host;
      const request = { options, resolver, capacity, tasks, message, call, context, questions, round };
      if (round === undefined) return this.#answer(await method(request), call, context);
      const reply = await round.run(() => method(request));
      if (reply === SUSPENDED) {
        return this.#answer(inputRequired(round, message, call, this.options), call, context);
      }
      await round.opened?.spend();
      return this.#answer(reply, call, context);
    } catch (error) {
      return failure(error, message, call, this.options);
    } finally {
      context?.close();
    }
  }

  /** No notification needs more than its transport already did with it (BASE-11). */
  async notify(_message: NotificationMessage, _call: Call): Promise<void> {}

  mirrored(message: RequestMessage, call: Call): readonly MirroredValue[] | Promise<readonly MirroredValue[]> {
    const source = NAMED.get(message.method);
    if (source === undefined) return [];
    const value = Object.hasOwn(message.params, source) ? message.params[source] : undefined;
    const name: MirroredValue = { header: 'Mcp-Name', value };
    if (message.method !== 'tools/call' || typeof value !== 'string') return [name];
    const { arguments: args } = message.params;
    try {
      const entry = this.#host.resolver.find('tool', value, new CallContext(message, call, this.options));
      if (!(entry instanceof Promise)) return [name, ...mirroredValues(entry, args)];
      return entry.then(
        (found) => [name, ...mirroredValues(found, args)],
        (error: unknown) => {
          throw hookFailed(error, message, this.options);
        },
      );
    } catch (error) {
      throw hookFailed(error, message, this.options);
    }
  }

  /** Stops what runs in the background; settles when its outcome is stored. Calls are ended by their transports. */
  async close(): Promise<void> {
    await this.#host.tasks?.close();
  }

  #answer(reply: Reply, { revision }: Call, context: CallContext): Outcome {
    const body = encodeResult(context.requestId, this.#writers.text(reply, revision, context));
    return reply.opened === undefined ? { status: 200, body } : { status: 200, body, opened: reply.opened };
  }
}

function mirroredValues(entry: EntryOf<'tool'> | undefined, args: unknown): readonly MirroredValue[] {
  const parameters = entry === undefined ? [] : mirroredOf(entry);
  return parameters.map(({ header, path }) => ({ header, value: isObject(args) ? valueAt(args, path) : undefined }));
}

/** Answered as the call itself would have been. */
function hookFailed(error: unknown, { method }: RequestMessage, options: ServerOptions): ProtocolError {
  if (error instanceof ProtocolError) return error;
  return new ProtocolError(ErrorCode.InternalError, OPAQUE, 200, { reference: report(options, method, error) });
}

function unknownMethod(message: RequestMessage, revision: Revision): Outcome {
  return {
    status: revision.unknownMethodStatus,
    body: encodeError(message.id, ErrorCode.MethodNotFound, `Method not found: ${message.method.slice(0, 200)}`),
  };
}
