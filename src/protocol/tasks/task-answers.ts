import { QuestionTimeout } from '../call.js';
import { ErrorCode, McpError } from '../errors.js';
import { answeredError } from '../failures.js';
import { isObject } from '../json/json.js';

/** How a question of a task ended, as it is kept in `TaskRecord.answers`: plain data, for any instance to read. */
export type TaskAnswer =
  | { readonly value: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } }
  | { readonly timeout: true };

/** What the asking handler gets: the value, or the error it is rejected with. */
export function readTaskAnswer(answer: unknown): { readonly value: unknown } | Error {
  if (isObject(answer)) {
    if (Object.hasOwn(answer, 'value')) return { value: answer['value'] };
    if (answer['timeout'] === true) return new QuestionTimeout('The client did not answer in time');
    const { error } = answer;
    if (isObject(error) && typeof error['code'] === 'number' && typeof error['message'] === 'string') {
      return answeredError({ code: error['code'], message: error['message'], data: error['data'] });
    }
  }
  return new McpError(ErrorCode.InternalError, 'The answer of the client was lost');
}

/** How a question that could not be answered with a value ended. */
export function failedAnswer(error: McpError | QuestionTimeout): TaskAnswer {
  if (error instanceof QuestionTimeout) return { timeout: true };
  const { code, message, data } = error;
  return { error: data === undefined ? { code, message } : { code, message, data } };
}
