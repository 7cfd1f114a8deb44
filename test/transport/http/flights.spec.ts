import { expect, it } from 'vitest';
import { CallCancelled, ServerClosing, type Outcome } from '../../../src/protocol/call.js';
import { Flight } from '../../../src/session/in-flight.js';
import { Flights } from '../../../src/transport/http/flights.js';

const unheard = { respond: (): void => undefined };

it('settles at once when nothing runs, and as soon as the last one has ended', async () => {
  const flights = new Flights();
  await flights.landed(60_000);
  const [a, b] = [new Flight(1), new Flight(1)];
  flights.began(a, unheard, false);
  flights.began(b, unheard, false);
  const landed = flights.landed(60_000);
  flights.ended(a);
  expect(flights.size).toBe(1);
  flights.ended(b);
  await landed;
});

it('does not wait longer than it was told', async () => {
  const flights = new Flights();
  flights.began(new Flight(1), unheard, false);
  await flights.landed(10);
  expect(flights.size).toBe(1);
});

it('ends those that would never end by themselves, then the others', () => {
  const flights = new Flights();
  const [call, subscription] = [new Flight(1), new Flight(2)];
  flights.began(call, unheard, false);
  flights.began(subscription, unheard, true);
  flights.abortListening(new ServerClosing('closing'));
  expect([call.signal.aborted, subscription.signal.aborted]).toEqual([false, true]);
  flights.abortAll(new CallCancelled('late'));
  expect(call.signal.aborted).toBe(true);
  expect(subscription.signal.reason).toBeInstanceOf(ServerClosing);
});

it('answers for those that do not end, and they say nothing after it', () => {
  const flights = new Flights();
  const answers: Outcome[] = [];
  const deaf = new Flight('deaf');
  flights.began(deaf, { respond: (outcome) => void answers.push(outcome) }, false);
  const ended = new Flight('ended');
  flights.began(ended, unheard, false);
  flights.ended(ended);
  flights.answerAll(({ id }) => ({ status: 503, body: `sorry, ${id}` }));
  expect(answers).toEqual([{ status: 503, body: 'sorry, deaf' }]);
  expect(deaf.open).toBe(false);
});
