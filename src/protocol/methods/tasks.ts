import { ServerClosing } from '../call.js';
import { decodeCursor, encodeCursor } from '../catalog/cursor.js';
import { encode } from '../results/encoder.js';
import { ErrorCode, ProtocolError } from '../errors.js';
import { readRoots, readSample, readUrlAnswer } from '../questions/questions.js';
import type { Reply } from '../reply.js';
import { readInputResponses } from '../questions/round.js';
import { declaresTasks, taskOwner, tasksNotDeclared } from '../tasks/task-access.js';
import type { TaskAnswer } from '../tasks/task-answers.js';
import { TaskInterview } from '../tasks/task-interview.js';
import type { TaskRunner } from '../tasks/task-runner.js';
import { TaskWatch } from '../tasks/task-watch.js';
import { corePayload, coreTask, detailedTask, isFinalTask } from '../tasks/task-wire.js';
import type { TaskQuestion, TaskRecord } from '../tasks/tasks.js';
import type { Method, MethodCall } from './method.js';
import { stringParam } from './params.js';

const PAGE_SIZE = 50;
const DONE: Reply = Object.freeze({ members: '' });

function members(object: object): string {
  return encode(object).slice(1, -1);
}

/** Unknown, expired and another caller's are the same (LTASK-17, LTASK-20, XTASK-18). */
function unknownTask(): ProtocolError {
  return new ProtocolError(ErrorCode.InvalidParams, 'Unknown task');
}

/** The runner; the extension must be declared before anything else is looked at (XTASK-19). */
function runnerOf({ tasks, call, context }: MethodCall): TaskRunner {
  if (call.revision.tasks === 'extension' && !declaresTasks(context.clientCapabilities)) throw tasksNotDeclared();
  // Unreachable: without a runner the methods are not served.
  if (tasks === undefined) throw new ProtocolError(ErrorCode.MethodNotFound, 'Tasks are not served');
  return tasks;
}

async function find(request: MethodCall, { store }: TaskRunner): Promise<TaskRecord> {
  const record = await store.get(stringParam(request.message.params, 'taskId'), taskOwner(request.call));
  if (record === undefined) throw unknownTask();
  return record;
}

async function get(request: MethodCall): Promise<Reply> {
  const record = await find(request, runnerOf(request));
  if (request.call.revision.tasks === 'core') return { members: members(coreTask(record)) };
  return { members: detailedTask(record, request.context.clientCapabilities) };
}

/** Blocks until the task is over (LTASK-11); meanwhile its questions and its progress travel here (LTASK-14, PROG-08). */
async function result(request: MethodCall): Promise<Reply> {
  const { call, options } = request;
  const { signal } = call.channel;
  const runner = runnerOf(request);
  const { after, pollIntervalMs } = runner.settings;
  let record = await find(request, runner);
  if (isFinalTask(record)) return corePayload(record);
  const watch = new TaskWatch(options.bus, record.id, signal, (run) => after(pollIntervalMs, run));
  const leave = runner.attend(record.id, call.channel);
  const interview = new TaskInterview(request, runner);
  try {
    for (;;) {
      record = await find(request, runner);
      if (isFinalTask(record)) return corePayload(record);
      interview.ask(record);
      await watch.next();
      if (signal.aborted) throw ended(signal.reason);
    }
  } finally {
    interview.close();
    leave();
    watch.close();
  }
}

function ended(reason: unknown): unknown {
  if (!(reason instanceof ServerClosing)) return reason;
  return new ProtocolError(ErrorCode.InternalError, 'The server is shutting down');
}

async function list(request: MethodCall): Promise<Reply> {
  const { store } = runnerOf(request);
  const cursor = request.message.params['cursor'];
  const after = decodeCursor(cursor, 'tasks');
  const limit = PAGE_SIZE + 1;
  const records = await store.list(taskOwner(request.call), after === undefined ? { limit } : { after, limit });
  const page = records.slice(0, PAGE_SIZE);
  const last = page.at(-1);
  return {
    members: members({
      tasks: page.map(coreTask),
      ...(last !== undefined && records.length > PAGE_SIZE ? { nextCursor: encodeCursor('tasks', last.id) } : {}),
    }),
  };
}

async function cancel(request: MethodCall): Promise<Reply> {
  const runner = runnerOf(request);
  const isCore = request.call.revision.tasks === 'core';
  const record = await find(request, runner);
  const cancelled = isFinalTask(record)
    ? undefined
    : await runner.store.update(record.id, record.identityKey, {
        kind: 'cancel',
        statusMessage: 'Cancelled by the client',
      });
  if (cancelled !== undefined) runner.announce(record.id);
  // The extension acknowledges in any case (XTASK-16); 2025-11-25 refuses to cancel what is over (LTASK-16).
  if (!isCore) return DONE;
  if (cancelled === undefined)
    throw new ProtocolError(ErrorCode.InvalidParams, 'The task is over: it cannot be cancelled');
  return { members: members(coreTask(cancelled)) };
}

/** An answer that could be none of this question is refused before anything is kept (MRTR-15). */
function checkAnswer(key: string, { method }: TaskQuestion, answer: unknown): void {
  if (method === 'elicitation/create') readUrlAnswer(key, answer);
  else if (method === 'sampling/createMessage') readSample(key, answer);
  else readRoots(key, answer);
}

async function update(request: MethodCall): Promise<Reply> {
  const runner = runnerOf(request);
  const record = await find(request, runner);
  const responses = readInputResponses(request.message.params);
  if (responses === undefined)
    throw new ProtocolError(ErrorCode.InvalidParams, 'params.inputResponses must be an object');
  const answers: [string, TaskAnswer][] = [];
  for (const [key, question] of Object.entries(record.questions)) {
    if (!Object.hasOwn(responses, key)) continue;
    checkAnswer(key, question, responses[key]);
    answers.push([key, { value: responses[key] }]);
  }
  if (answers.length === 0) return DONE;
  const change = { kind: 'answer', answers: Object.fromEntries(answers) } as const;
  const updated = await runner.store.update(record.id, record.identityKey, change);
  if (updated !== undefined) runner.announce(record.id);
  return DONE;
}

export const taskMethods: readonly (readonly [string, Method])[] = [
  ['tasks/get', get],
  ['tasks/result', result],
  ['tasks/list', list],
  ['tasks/cancel', cancel],
  ['tasks/update', update],
];
