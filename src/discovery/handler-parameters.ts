import type { ParamData } from '@nestjs/common';
import type { HandlerKind } from '../decorators/metadata.js';
import type { ParameterDeclaration, Pipe } from '../decorators/parameters.js';
import type { CompletionInput } from '../protocol/catalog/entries.js';
import type { McpContext } from '../protocol/context.js';
import { DiscoveryFault } from './discovery-fault.js';
import type { HandlerCall } from './handler-call.js';

/** What travels through guards, interceptors and parameters. */
export type HandlerValues = readonly [
  request: unknown,
  response: unknown,
  args: unknown,
  context: McpContext,
  call: HandlerCall,
];

// Nest's own number for a body: any number it does not know is 'custom', which ValidationPipe skips without a word.
const ARGUMENTS = 3;
const CONTEXT = 100;
const IDENTITY = 101;
const REQUEST = 102;
const COMPLETION = 103;

// Where Nest's HTTP and custom parameter decorators leave their metadata, and how the custom ones are told apart.
const ROUTE_ARGUMENTS = '__routeArguments__';
const CUSTOM = '__customRouteArgs__';
const ROUTE_REQUEST = '0';

interface ParameterEntry {
  readonly index: number;
  readonly data?: ParamData;
  readonly pipes: readonly Pipe[];
}

/** Parameters as Nest's `ExternalContextCreator` reads them, by `type:index`. */
export type ParameterEntries = Record<string, ParameterEntry>;

function entryOf(parameter: ParameterDeclaration): readonly [string, ParameterEntry] {
  const { index, pipes } = parameter;
  switch (parameter.kind) {
    case 'arguments':
      return [`${ARGUMENTS}:${index}`, { index, pipes }];
    case 'argument':
      return [`${ARGUMENTS}:${index}`, { index, data: parameter.name, pipes }];
    case 'context':
      return [`${CONTEXT}:${index}`, { index, pipes }];
    case 'identity':
      return [`${IDENTITY}:${index}`, { index, pipes }];
  }
}

/** How a method without parameter decorators of ours is called: `(arguments, context)`. */
function positional(kind: HandlerKind): readonly (readonly [number, number])[] {
  return kind === 'completion'
    ? [
        [ARGUMENTS, 0],
        [COMPLETION, 1],
        [CONTEXT, 2],
      ]
    : [
        [ARGUMENTS, 0],
        [CONTEXT, 1],
      ];
}

/**
 * The parameters of a handler: ours, those of `createParamDecorator`, and `@Req()`. Other HTTP decorators mean nothing
 * here; beside ours their parameters get `undefined`, without ours it is a fault, because the arguments would land there.
 */
export function parameterEntries(
  kind: HandlerKind,
  declared: readonly ParameterDeclaration[],
  [prototype, key]: readonly [object, string],
): ParameterEntries {
  const entries: ParameterEntries = Object.fromEntries(declared.map(entryOf));
  const taken = new Set(declared.map(({ index }) => index));
  const twice = declared.find(({ index }, position) => declared[position + 1]?.index === index);
  if (twice !== undefined)
    throw new DiscoveryFault(`parameter ${twice.index} has two decorators that say what it gets`);
  const routed = (Reflect.getMetadata(ROUTE_ARGUMENTS, prototype.constructor, key) ?? {}) as ParameterEntries;
  const ignored: number[] = [];
  for (const [name, entry] of Object.entries(routed)) {
    if (taken.has(entry.index)) continue;
    if (name.includes(CUSTOM)) {
      entries[name] = entry;
      taken.add(entry.index);
    } else if (name.split(':')[0] === ROUTE_REQUEST) {
      entries[`${REQUEST}:${entry.index}`] = { index: entry.index, pipes: entry.pipes };
      taken.add(entry.index);
    } else {
      ignored.push(entry.index);
    }
  }
  if (declared.length > 0) return entries;
  const unclaimed = ignored.filter((index) => !taken.has(index)).sort((a, b) => a - b)[0];
  if (unclaimed !== undefined) {
    throw new DiscoveryFault(
      `parameter ${unclaimed} has an HTTP decorator only; add @McpArg, @McpArgs or @McpCtx to say what a call passes`,
    );
  }
  for (const [type, index] of positional(kind)) {
    if (!taken.has(index)) entries[`${type}:${index}`] = { index, pipes: [] };
  }
  return entries;
}

/** Whether a parameter is made by `createParamDecorator`, which wants an execution context. */
export function hasCustomEntries(entries: ParameterEntries): boolean {
  return Object.keys(entries).some((name) => name.includes(CUSTOM));
}

/** Whether at least one value comes from `ArgumentFactory`, which then sees every call that passed the guards. */
export function hasOwnEntries(entries: ParameterEntries): boolean {
  return Object.keys(entries).some((name) => !name.includes(CUSTOM));
}

function namedArgument(args: unknown, name: string): unknown {
  // Own properties only: an argument called `constructor` that the caller left out is absent.
  return typeof args === 'object' && args !== null && Object.hasOwn(args, name)
    ? (args as Record<string, unknown>)[name]
    : undefined;
}

/** Turns parameter metadata into values, once per decorated parameter and call. */
export class ArgumentFactory {
  constructor(private readonly kind: HandlerKind) {}

  exchangeKeyForValue(type: number, data: ParamData | undefined, values: HandlerValues): unknown {
    values[4].guardsPassed = true;
    switch (type) {
      case ARGUMENTS:
        return this.#argument(data, values[2]);
      case CONTEXT:
        return values[3];
      case IDENTITY:
        return values[3].identity;
      case REQUEST:
        return values[0];
      case COMPLETION:
        return values[2];
      default:
        return undefined;
    }
  }

  #argument(data: ParamData | undefined, args: unknown): unknown {
    if (this.kind !== 'completion') return typeof data === 'string' ? namedArgument(args, data) : args;
    // The protocol makes the input of completions; see `Handler`.
    const input = args as CompletionInput;
    return typeof data === 'string' ? namedArgument(input.arguments, data) : input.value;
  }
}
