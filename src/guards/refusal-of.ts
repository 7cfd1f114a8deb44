import { HttpException } from '@nestjs/common';

/** How a refusal at the door is answered. */
export interface DoorRefusal {
  readonly status: number;
  /** Value for `WWW-Authenticate`. */
  readonly challenge?: string;
}

/** What a header value may hold (RFC 9110, 5.5); anything else would break the answer. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]+$/;

function challengeOf(error: HttpException): string | undefined {
  const usable = 'challenge' in error && typeof error.challenge === 'string' && HEADER_VALUE.test(error.challenge);
  return usable ? (error.challenge as string) : undefined;
}

/**
 * What a guard threw, as an answer: the status of a 4xx `HttpException`, with the challenge it carries. Undefined when
 * it is no refusal but a failure. The reason is for the log alone.
 */
export function refusalOf(error: unknown): DoorRefusal | undefined {
  if (!(error instanceof HttpException)) return undefined;
  const status = error.getStatus();
  if (status < 400 || status > 499) return undefined;
  const challenge = challengeOf(error);
  return challenge === undefined ? { status } : { status, challenge };
}
