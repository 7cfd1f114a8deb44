import { Inject, Injectable, type CanActivate } from '@nestjs/common';
import {
  ApplicationConfig,
  ContextIdFactory,
  ExternalContextCreator,
  ModuleRef,
  type ContextId,
  type NestContainer,
} from '@nestjs/core';
import type { HandlerKind } from '../decorators/metadata.js';
import { HandlerCall } from '../discovery/handler-call.js';
import { ArgumentFactory, parameterEntries } from '../discovery/handler-parameters.js';
import { configView, type GlobalGuards } from '../discovery/nest-view.js';
import { toRefusal } from '../discovery/refusals.js';
import { RESPONSE, type McpContext } from '../protocol/context.js';
import type { Handler } from '../protocol/catalog/entries.js';

type Method = (...values: unknown[]) => unknown;
type Run = (...values: unknown[]) => Promise<unknown>;

export interface EntryHandlerParts {
  readonly kind: HandlerKind;
  readonly name: string;
  readonly method: Method;
  readonly globalGuards: GlobalGuards;
}

/** What `getClass()` answers for an entry that is no method of a provider. */
export class McpEntryHost {
  constructor(readonly handler: Method) {}
}

const KINDS: readonly HandlerKind[] = ['tool', 'resource', 'template', 'prompt', 'completion'];
const parametersKey = (kind: HandlerKind): string => `nestjs-mcp:entry-parameters-of-${kind}`;
for (const kind of KINDS) {
  const entries = parameterEntries(kind, [], [McpEntryHost.prototype, 'handler']);
  Reflect.defineMetadata(parametersKey(kind), entries, McpEntryHost, 'handler');
}

/** Makes handlers of plain functions: global guards run on them as they do on methods. */
@Injectable()
export class EntryHandlers {
  constructor(
    @Inject(ApplicationConfig) private readonly config: ApplicationConfig,
    @Inject(ModuleRef) private readonly moduleRef: ModuleRef,
  ) {}

  create(parts: EntryHandlerParts): Handler {
    const { kind, name, globalGuards } = parts;
    const identity = Object.freeze({ kind, name });
    // Guards that tell handlers apart by their names, such as throttlers, must not take all entries for one.
    const host = new McpEntryHost(Object.defineProperty(parts.method, 'name', { value: name }));
    let made: { readonly run: Run; readonly guards: number } | undefined;
    return async (args, context) => {
      const call = new HandlerCall(identity, false);
      try {
        const contextId = globalGuards === 'both' ? await this.#resolveScopedGuards(context) : undefined;
        if (contextId !== undefined) return await this.#run(parts, host, contextId)(...values(args, context, call));
        // A global guard that came after the closure was made must be seen.
        const guards = this.config.getGlobalGuards().length;
        if (made?.guards !== guards) made = { run: this.#run(parts, host), guards };
        return await made.run(...values(args, context, call));
      } catch (error) {
        throw toRefusal(error, call.guardsPassed);
      }
    };
  }

  /** Unless resolved before, a request-scoped guard would run on an object whose constructor never ran. */
  async #resolveScopedGuards({ request }: McpContext): Promise<ContextId | undefined> {
    const guards = this.config.getGlobalRequestGuards();
    if (guards.length === 0) return undefined;
    const contextId = ContextIdFactory.getByRequest(request as object);
    this.moduleRef.registerRequestByContextId(request, contextId);
    for (const { token } of guards) {
      // Nest types the tokens of its wrappers more widely than what it resolves.
      await this.moduleRef.resolve<CanActivate>(token as string, contextId, { strict: false });
    }
    return contextId;
  }

  #run({ kind, globalGuards }: EntryHandlerParts, host: McpEntryHost, contextId?: ContextId): Run {
    const view = configView(this.config, { globalGuards, marksGuards: true });
    // These two members are all that `fromContainer` reads; an entry belongs to no module.
    const container = { applicationConfig: view, getModules: () => new Map() } as unknown as NestContainer;
    return ExternalContextCreator.fromContainer(container).create(
      host as unknown as Record<string, Method>,
      host.handler,
      'handler',
      parametersKey(kind),
      new ArgumentFactory(kind),
      contextId,
      undefined,
      { guards: true, interceptors: true, filters: false },
      'mcp',
    );
  }
}

function values(args: unknown, context: McpContext, call: HandlerCall): unknown[] {
  return [context.request, context[RESPONSE], args, context, call];
}
