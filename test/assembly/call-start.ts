import type { CallEnd, CallStart } from '../../src/protocol/observation.js';
import { TestContext } from '../discovery/test-context.js';

export function startOf(
  more: Partial<CallStart> & { readonly meta?: Readonly<Record<string, unknown>> } = {},
): CallStart {
  const { meta, ...rest } = more;
  const context = Object.assign(new TestContext(), meta === undefined ? {} : { requestMeta: meta });
  return { subject: { kind: 'tool', name: 'search', source: 'Tools.search' }, context, transport: 'http', ...rest };
}

export const WELL: CallEnd = {
  isError: false,
  error: undefined,
  code: undefined,
  threw: false,
  inputRequired: false,
  resultBytes: 12,
  decision: 'none',
};

export const BADLY: CallEnd = { ...WELL, isError: true, error: 'RangeError', threw: true };
