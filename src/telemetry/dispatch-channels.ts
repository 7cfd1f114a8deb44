import { channel } from 'node:diagnostics_channel';
import type { StartFacts } from './call-observation.js';
import type { McpDispatchEnd, McpDispatchStart } from './mcp-observer.js';
import type { CallEnd } from '../protocol/observation.js';

const START = channel('nestjs-mcp:dispatch:start');
const STOP = channel('nestjs-mcp:dispatch:stop');
const EXCEPTION = channel('nestjs-mcp:dispatch:exception');

let calls = 0;

/** The channels of `node:diagnostics_channel` on which every call of the process is published. */
export function dispatchChannels(): {
  readonly listened: boolean;
  begin(facts: StartFacts): ((end: CallEnd, ms: number) => void) | undefined;
} {
  return {
    get listened() {
      return START.hasSubscribers || STOP.hasSubscribers || EXCEPTION.hasSubscribers;
    },
    begin(facts) {
      if (!this.listened) return undefined;
      calls += 1;
      const start: McpDispatchStart = { id: calls, ...facts };
      if (START.hasSubscribers) START.publish(start);
      return ({ threw, ...outcome }, ms) => {
        const end: McpDispatchEnd = { ...start, ms, ...outcome };
        (threw ? EXCEPTION : STOP).publish(end);
      };
    },
  };
}
