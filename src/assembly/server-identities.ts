import type { McpModuleOptions, McpServerInfo } from '../options/mcp-options.js';
import { serverInfoFaults } from '../options/option-check.js';
import type { McpContext } from '../protocol/context.js';
import type { Identify, ServerIdentity } from '../protocol/server-identity.js';
import type { ServerOptions } from '../protocol/server-options.js';

type Given = McpModuleOptions['server'];

/** Nobody sees it: whoever asks is told by the function. */
const UNTOLD: ServerIdentity = { info: { name: 'mcp', version: '0' } };

function asIdentity({ instructions, ...info }: McpServerInfo): ServerIdentity {
  return { info, ...(instructions === undefined ? {} : { instructions }) };
}

/** What the option `server` says, for the core. What a function answers is judged when it is seen first. */
export function identityOf(given: Given): Pick<ServerOptions, 'info' | 'instructions' | 'identify'> {
  return typeof given === 'function' ? { ...UNTOLD, identify: identifyBy(given) } : asIdentity(given);
}

function identifyBy(answer: (context: McpContext) => McpServerInfo): Identify {
  const known = new WeakMap<McpServerInfo, ServerIdentity>();
  return (context) => {
    const info: unknown = answer(context);
    const seen = typeof info === 'object' && info !== null ? known.get(info as McpServerInfo) : undefined;
    if (seen !== undefined) return seen;
    const faults = serverInfoFaults(info);
    if (faults.length > 0) throw new TypeError(faults.join('; '));
    // It has just been judged.
    const identity = asIdentity(info as McpServerInfo);
    known.set(info as McpServerInfo, identity);
    return identity;
  };
}

/** The server's name for observers, who are told of calls whatever it is called. */
export function serverNameOf({
  info,
  identify,
}: Pick<ServerOptions, 'info' | 'identify'>): (context: McpContext) => string {
  if (identify === undefined) return () => info.name;
  return (context) => {
    try {
      return identify(context).info.name;
    } catch {
      // Whoever is answered learns of it, and the log does.
      return '';
    }
  };
}
