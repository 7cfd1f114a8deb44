import { encodeError } from '../../protocol/results/encoder.js';
import { ErrorCode, ProtocolError } from '../../protocol/errors.js';
import { isObject } from '../../protocol/json/json.js';
import { classify } from '../../protocol/messages.js';
import { servedRevision } from '../../protocol/envelope.js';
import type { Revision } from '../../protocol/revisions.js';
import type { MessageService, Place } from './message-service.js';

/** The revision a batch belongs to, when it has batches at all (BASE-19, BASE-22). */
function batchRevision(place: Place, service: MessageService): Revision {
  const { served, headers, session } = service.facts(place);
  const named = headers.length === 0 ? '2025-03-26' : headers.length === 1 ? headers[0] : undefined;
  const revision = session ?? (named === undefined ? undefined : servedRevision(served, named));
  if (revision?.batches === true) return revision;
  throw new ProtocolError(ErrorCode.InvalidRequest, 'Expected a JSON object, got an array', 400);
}

async function answerTo(
  item: unknown,
  inexactIds: ReadonlySet<unknown> | undefined,
  place: Place,
  service: MessageService,
  revision: Revision,
): Promise<string | undefined> {
  const message = classify(item, inexactIds);
  switch (message.kind) {
    case 'failure':
      return message.silent ? undefined : encodeError(message.id, message.code, message.message);
    case 'request': {
      const { body, silent } = await service.request(message, place, revision);
      return silent === true ? undefined : body;
    }
    case 'notification':
      await service.notification(message, place, revision);
      return undefined;
    case 'response':
      service.response(message, place, revision);
      return undefined;
  }
}

/** Serves an array of messages: an array of answers, or 202 when nothing in it is answered. */
export async function serveBatch(
  items: readonly unknown[],
  inexactIds: ReadonlySet<unknown> | undefined,
  place: Place,
  service: MessageService,
  maxItems: number,
): Promise<void> {
  const revision = batchRevision(place, service);
  if (items.length === 0) throw new ProtocolError(ErrorCode.InvalidRequest, 'A batch must not be empty', 400);
  if (items.length > maxItems) {
    throw new ProtocolError(ErrorCode.InvalidRequest, `A batch must not have more than ${maxItems} messages`, 400);
  }
  // BASE-20.
  if (items.some((item) => isObject(item) && item['method'] === 'initialize')) {
    throw new ProtocolError(ErrorCode.InvalidRequest, 'initialize must not be part of a batch', 400);
  }
  const answers = await Promise.all(items.map((item) => answerTo(item, inexactIds, place, service, revision)));
  place.answer.respondAll(answers.filter((answer) => answer !== undefined));
}
