import { Injectable } from '@nestjs/common';
import { McpArg, McpCtx, McpError, McpTool, type McpContext } from 'nestjs-mcp';

const NAME = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

/** What a question came to; in a revision that lacks it, what the package says of that. */
async function outcome(question: Promise<unknown>): Promise<unknown> {
  try {
    return await question;
  } catch (error) {
    if (error instanceof McpError) return error.message;
    throw error;
  }
}

/** Speaks with its client in every way there is; written once, for every revision. */
@Injectable()
export class Interviewer {
  #tickets = 0;
  readonly #endings: string[] = [];
  readonly #unseen = new Map<string, () => void>();

  @McpTool()
  async converse(@McpArg('label') label: string, @McpCtx() context: McpContext): Promise<object> {
    await this.#report(1, label, context);
    context.log('debug', 'a detail', 'desk');
    context.log('warning', { stage: 'asking' }, 'desk');
    const ticket = await context.step('ticket', () => (this.#tickets += 1));
    const form = await outcome(context.elicit({ message: 'Who are you?', schema: NAME }));
    const page = await outcome(context.elicitUrl({ message: 'Please sign', url: 'https://library.example/sign' }));
    const [sample, roots] = await Promise.all([
      context.sample({ messages: [{ role: 'user', content: { type: 'text', text: 'A haiku?' } }], maxTokens: 50 }),
      context.roots(),
    ]);
    await this.#report(2, label, context);
    context.log('error', { stage: 'answered' });
    await this.#report(3, label, context);
    return { form, page, sample: sample.content, roots, ticket, tickets: this.#tickets };
  }

  /** The official clients drop progress that they read together with the result: it waits until it was seen. */
  async #report(done: number, label: string, context: McpContext): Promise<void> {
    context.progress(done, 3, label);
    if (context.requestMeta['progressToken'] === undefined) return;
    await new Promise<void>((resolve) => this.#unseen.set(label, resolve));
  }

  @McpTool()
  seen(@McpArg('label') label: string): string {
    this.#unseen.get(label)?.();
    return this.#unseen.delete(label) ? 'going on' : 'nobody waits';
  }

  /** Runs until its client, or the server, ends it. */
  @McpTool()
  async wait(@McpArg('label') label: string, @McpCtx() context: McpContext): Promise<string> {
    const { signal } = context;
    context.progress(1, undefined, 'waiting');
    if (!signal.aborted) await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    const ending = `${label}: ${signal.reason instanceof Error ? signal.reason.name : 'unknown'}`;
    this.#endings.push(ending);
    return ending;
  }

  /** How the calls of `wait` ended. */
  @McpTool()
  endings(): string {
    return this.#endings.join('\n');
  }

  /** Who is calling, as the server sees it. */
  @McpTool()
  caller(_args: object, context: McpContext): object {
    const { revision, clientInfo, identityKey, sessionId } = context;
    return { revision, client: clientInfo?.name, identity: identityKey, session: sessionId !== undefined };
  }

  /** Asks, and waits no longer than it is told to. */
  @McpTool({
    input: { type: 'object', properties: { timeoutMs: { type: 'integer' } }, required: ['timeoutMs'] },
  })
  async ask({ timeoutMs }: { timeoutMs: number }, context: McpContext): Promise<string> {
    const answer = await context.elicit<{ name: string }>({ message: 'Who are you?', schema: NAME, timeoutMs });
    return answer.action === 'accept' ? answer.content.name : answer.action;
  }
}
