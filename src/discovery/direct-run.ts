import { isObservable, lastValueFrom } from 'rxjs';
import {
  hasCustomEntries,
  type ArgumentFactory,
  type HandlerValues,
  type ParameterEntries,
} from './handler-parameters.js';

type Method = (...values: unknown[]) => unknown;
type Run = (...values: HandlerValues) => Promise<unknown>;

/**
 * The pipeline of a method that nothing is bound to, which is most of them: what Nest's does without guards,
 * interceptors, filters and pipes, at a third of its cost. Undefined where a parameter needs more than a value.
 */
export function directRun(
  instance: object,
  method: Method,
  [entries, factory]: readonly [ParameterEntries, ArgumentFactory],
): Run | undefined {
  if (hasCustomEntries(entries) || Object.values(entries).some(({ pipes }) => pipes.length > 0)) return undefined;
  const parameters = Object.entries(entries).map(([name, { index, data }]) => ({
    type: Number.parseInt(name, 10),
    index,
    data,
  }));
  const length = Math.max(...parameters.map(({ index }) => index)) + 1;
  return async (...values) => {
    const given: unknown[] = [];
    for (let index = 0; index < length; index++) given.push(undefined);
    for (const { type, index, data } of parameters) given[index] = factory.exchangeKeyForValue(type, data, values);
    const result: unknown = await method.apply(instance, given);
    return isObservable(result) ? lastValueFrom(result) : result;
  };
}
