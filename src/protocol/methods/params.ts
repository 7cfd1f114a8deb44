import { ErrorCode, ProtocolError } from '../errors.js';
import { isObject } from '../json/json.js';

type Params = Readonly<Record<string, unknown>>;

/** A required string parameter; `path` is what the refusal calls it. */
export function stringParam(params: Params, name: string, path = `params.${name}`): string {
  const value = Object.hasOwn(params, name) ? params[name] : undefined;
  if (typeof value !== 'string') throw new ProtocolError(ErrorCode.InvalidParams, `${path} must be a string`);
  return value;
}

export function objectParam(params: Params, name: string, path = `params.${name}`): Record<string, unknown> {
  const value = Object.hasOwn(params, name) ? params[name] : undefined;
  if (!isObject(value)) throw new ProtocolError(ErrorCode.InvalidParams, `${path} must be an object`);
  return value;
}

/** `arguments` of tools and prompts: absent or null is `{}`; anything else that is not an object is refused (TOOL-26). */
export function argumentsParam(params: Params): Record<string, unknown> {
  const value = Object.hasOwn(params, 'arguments') ? params['arguments'] : undefined;
  if (value === undefined || value === null) return {};
  if (!isObject(value)) throw new ProtocolError(ErrorCode.InvalidParams, 'params.arguments must be an object');
  return value;
}
