import { Injectable } from '@nestjs/common';
import {
  allow,
  confirm,
  deny,
  mcpResult,
  type GateDecision,
  type GatedTool,
  type McpContext,
  type McpGate,
} from 'nestjs-mcp';
import { Nonces } from './nonces.js';

type Arguments = Readonly<Record<string, unknown>>;

/**
 * Nothing is destroyed before the user has agreed. A client that can ask is made to ask; to all others the model is told
 * to get the user's consent and to call again with a nonce.
 */
@Injectable()
export class ConfirmGate implements McpGate {
  constructor(private readonly nonces: Nonces) {}

  decide(context: McpContext, { name, mode }: GatedTool, { nonce, ...args }: Arguments): GateDecision {
    if (mode !== 'destructive') return allow;
    // Good for this caller, this tool and these arguments, once.
    const subject = JSON.stringify([context.identityKey, name, args]);
    if (typeof nonce === 'string') {
      return this.nonces.spend(nonce, subject) ? allow : deny('This nonce is not good for this call.');
    }
    const question = `Really run ${name} with ${JSON.stringify(args)}?`;
    const fresh = this.nonces.issue(subject);
    const fallback = mcpResult({
      content: [`Nothing was done. Ask the user: ${question} After a yes call again with nonce ${fresh}.`],
      structured: { confirmation: { question, nonce: fresh } },
    });
    return confirm(question, fallback);
  }
}
