import type { ElicitOutcome, SampleOptions, SampleResult } from 'nestjs-mcp';

export function userSays(text: string): SampleOptions['messages'][number] {
  return { role: 'user', content: { type: 'text', text } };
}

/** The text that the client's model answered; whatever else it said, as JSON. */
export function spokenText({ content }: SampleResult): string {
  const isText = typeof content === 'object' && content !== null && 'text' in content;
  return isText && typeof content.text === 'string' ? content.text : JSON.stringify(content);
}

export function describeOutcome(outcome: ElicitOutcome): string {
  const content = outcome.action === 'accept' ? outcome.content : {};
  return `action=${outcome.action}, content=${JSON.stringify(content)}`;
}
