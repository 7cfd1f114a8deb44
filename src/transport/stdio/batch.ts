import type { Settle } from './answer-order.js';

/** One settle for each message of a batch; the answers go out as one array, or not at all when there are none. */
export function joinAnswers(count: number, settle: Settle): readonly Settle[] {
  const answers: (string | undefined)[] = new Array<string | undefined>(count);
  let left = count;
  return Array.from({ length: count }, (_unused, index) => (text: string | undefined): void => {
    answers[index] = text;
    left -= 1;
    if (left > 0) return;
    const given = answers.filter((answer) => answer !== undefined);
    settle(given.length === 0 ? undefined : `[${given.join(',')}]`);
  });
}
