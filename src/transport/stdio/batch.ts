import type { Settle } from './answer-order.js';

/**
 * One settle for each message of a batch; the answers go out as one array, or not at all when there are none. A message
 * settles once: a subscription is settled while it lasts, and again when its client cancels it.
 */
export function joinAnswers(count: number, settle: Settle): readonly Settle[] {
  const answers: (string | undefined)[] = new Array<string | undefined>(count);
  const settled = new Set<number>();
  return Array.from({ length: count }, (_unused, index) => (text: string | undefined): void => {
    if (settled.has(index)) return;
    settled.add(index);
    answers[index] = text;
    if (settled.size < count) return;
    const given = answers.filter((answer) => answer !== undefined);
    settle(given.length === 0 ? undefined : `[${given.join(',')}]`);
  });
}
