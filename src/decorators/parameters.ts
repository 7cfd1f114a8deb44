import type { PipeTransform, Type } from '@nestjs/common';

/** A pipe as Nest takes it: a class, resolved in the host's module, or an instance. */
export type Pipe = Type<PipeTransform> | PipeTransform;

export interface McpArgOptions {
  /** Schema of this argument: a JSON Schema object or a Standard Schema. Default: made of the parameter's type. */
  readonly schema?: unknown;
  readonly title?: string;
  readonly description?: string;
  /** Default: required, unless the parameter has a default value or stands behind one that has. */
  readonly required?: boolean;
}

/** What a parameter decorator left behind. */
export type ParameterDeclaration =
  | { readonly kind: 'arguments'; readonly index: number; readonly pipes: readonly Pipe[] }
  | {
      readonly kind: 'argument';
      readonly index: number;
      readonly pipes: readonly Pipe[];
      readonly name: string;
      readonly options: McpArgOptions;
      readonly required: boolean;
    }
  | { readonly kind: 'context' | 'identity'; readonly index: number; readonly pipes: readonly Pipe[] };

const PARAMETERS = 'nestjs-mcp:parameters';

export function declareParameter(
  declaration: ParameterDeclaration,
  target: object,
  key: string | symbol | undefined,
): void {
  // A constructor's parameter has no key; the arguments of a call never reach a constructor.
  if (key === undefined) return;
  const own = (Reflect.getOwnMetadata(PARAMETERS, target, key) as readonly ParameterDeclaration[] | undefined) ?? [];
  Reflect.defineMetadata(PARAMETERS, [...own, declaration], target, key);
}

/** Decorated parameters of a method, by position; those of the nearest class up the chain that decorated any. */
export function parametersOf(prototype: object, key: string | symbol): readonly ParameterDeclaration[] {
  const found = (Reflect.getMetadata(PARAMETERS, prototype, key) as readonly ParameterDeclaration[] | undefined) ?? [];
  return [...found].sort((a, b) => a.index - b.index);
}
