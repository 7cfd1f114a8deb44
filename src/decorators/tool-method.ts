import type { McpContext } from '../protocol/context.js';
import type { ReadonlyJsonObject } from '../protocol/json/json.js';

/** As much of Standard Schema as a decorator needs to know its output type. */
interface StandardSchemaOf<Args> {
  readonly '~standard': {
    readonly types?: { readonly input: unknown; readonly output: Args } | undefined;
  };
}

/** Where an argument schema may come from: a DTO class, a Standard Schema, or a JSON Schema object. */
export type ArgumentSource<Args> =
  StandardSchemaOf<Args> | (abstract new (...parameters: never[]) => Args) | ReadonlyJsonObject;

/** A method whose first parameter is picked by a parameter decorator, so it is not the arguments object. */
type PickingMethod =
  | ((first: string, ...rest: never[]) => unknown)
  | ((first: number, ...rest: never[]) => unknown)
  | ((first: boolean, ...rest: never[]) => unknown)
  | ((first: never[], ...rest: never[]) => unknown)
  | ((first: McpContext, ...rest: never[]) => unknown);

/**
 * Methods that can take `Args` as their arguments. `never` (no schema, or a JSON Schema, which has no type) allows every
 * method. Kept shallow on purpose: nothing is inferred through the schema beyond its output type.
 */
export type MethodTaking<Args> = [Args] extends [never]
  ? (...parameters: never[]) => unknown
  : ((args: Args, context: McpContext, ...rest: never[]) => unknown) | PickingMethod;

/** A decorator of a method that takes `Args`. */
export type MethodDecoratorTaking<Args> = <Method extends MethodTaking<Args>>(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<Method>,
) => void;
