import type { Declaration } from '../decorators/metadata.js';
import type { ParameterDeclaration } from '../decorators/parameters.js';
import type { McpToolOptions } from '../decorators/options.js';
import type { Definition, ToolDefinition } from '../protocol/catalog/entries.js';
import { promptSchema, toolSchemas } from './schemas.js';
import { isMode, toolAnnotations } from './tool-annotations.js';
import { DiscoveryFault } from './discovery-fault.js';

/** A definition that lacks its handler only. */
export type DescribedEntry = Definition extends infer Kind
  ? Kind extends Definition
    ? Omit<Kind, 'handler'>
    : never
  : never;

export interface EntryParts {
  readonly source: string;
  readonly name: string;
  readonly parameters: readonly ParameterDeclaration[];
  readonly prototype: object;
}

/** The name a handler goes by; a completion goes by what it completes. */
export function declaredName({ kind, options, key }: Declaration): string {
  if (kind === 'completion') return 'prompt' in options ? options.prompt : options.uriTemplate;
  return options.name ?? String(key);
}

const LIMITS = {
  // Node's timers are 32 bits wide.
  timeoutMs: 2_147_483_647,
  maxConcurrent: 10_000_000,
  maxOutputBytes: 1_073_741_824,
} as const;

function checkLimits(options: { readonly [Limit in keyof typeof LIMITS]?: number }): void {
  for (const limit of Object.keys(LIMITS) as (keyof typeof LIMITS)[]) {
    const { [limit]: value } = options;
    if (value === undefined || (Number.isSafeInteger(value) && value >= 1 && value <= LIMITS[limit])) continue;
    throw new DiscoveryFault(`${limit} must be a whole number from 1 to ${LIMITS[limit]}`);
  }
}

export function describeTool(
  options: McpToolOptions<unknown>,
  { source, name, ...signature }: EntryParts & { readonly key: string | symbol },
): Omit<ToolDefinition, 'handler'> {
  const { _meta: meta, input: _input, output: _output, annotations, mode, ...rest } = options;
  if (mode !== undefined && !isMode(mode)) throw new DiscoveryFault(`mode ${JSON.stringify(mode)} does not exist`);
  checkLimits(options);
  const schemas = toolSchemas(options, signature);
  const hints = toolAnnotations(mode, annotations);
  return { ...rest, kind: 'tool', source, name, ...schemas, meta, mode, annotations: hints };
}

/** What is known of an entry before any call: its schemas compiled, its hints complete. */
export async function describeEntry(declaration: Declaration, parts: EntryParts): Promise<DescribedEntry> {
  const { source, name } = parts;
  switch (declaration.kind) {
    case 'tool':
      return describeTool(declaration.options, { ...parts, key: declaration.key });
    case 'resource': {
      const { _meta: meta, ...rest } = declaration.options;
      return { ...rest, kind: 'resource', source, name, meta };
    }
    case 'template': {
      const { _meta: meta, ...rest } = declaration.options;
      return { ...rest, kind: 'template', source, name, meta };
    }
    case 'prompt': {
      const { _meta: meta, input: _input, ...rest } = declaration.options;
      const schemas = promptSchema(declaration.options, { ...parts, key: declaration.key });
      return { ...rest, kind: 'prompt', source, name, ...schemas, meta };
    }
    case 'completion': {
      const { options } = declaration;
      const ref =
        'prompt' in options
          ? ({ type: 'ref/prompt', name: options.prompt } as const)
          : ({ type: 'ref/resource', uri: options.uriTemplate } as const);
      return { kind: 'completion', source, ref, argument: options.argument };
    }
  }
}
