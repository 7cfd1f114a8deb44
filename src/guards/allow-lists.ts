import { hostRule } from '../transport/http/host.js';
import { originRule } from '../transport/http/origin.js';

/** Why an entry of a list cannot be used; undefined when it can. */
function faultOf(parse: () => unknown): string | undefined {
  try {
    parse();
    return undefined;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return error.message;
  }
}

export function allowedOriginFault(entry: string): string | undefined {
  return faultOf(() => originRule([entry]));
}

export function allowedHostFault(entry: string): string | undefined {
  return faultOf(() => hostRule([entry]));
}
