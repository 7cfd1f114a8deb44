import type { TaskChange, TaskQuestion, TaskRecord, TaskStatus } from '../protocol/tasks/tasks.js';

const FINAL: ReadonlySet<TaskStatus> = new Set(['completed', 'failed', 'cancelled']);

export function isFinal(status: TaskStatus): boolean {
  return FINAL.has(status);
}

/**
 * The task after a change, as every store must apply it: a final status never changes (LTASK-08, LTASK-16), and a key
 * that was ever asked is not asked again (XTASK-12). Undefined when the change is not allowed.
 */
export function changedTask(task: TaskRecord, change: TaskChange, now: number): TaskRecord | undefined {
  if (isFinal(task.status)) return undefined;
  switch (change.kind) {
    case 'note':
      return { ...task, statusMessage: change.statusMessage, updatedAt: now };
    case 'ask':
      return asked(task, change.questions, now);
    case 'answer':
      return answered(task, change.answers, now);
    case 'complete':
      return { ...ended(task, 'completed', undefined, now), result: change.result, isError: change.isError };
    case 'fail':
      return { ...ended(task, 'failed', change.statusMessage, now), error: change.error };
    case 'cancel':
      return ended(task, 'cancelled', change.statusMessage, now);
  }
}

function asked(
  task: TaskRecord,
  questions: Readonly<Record<string, TaskQuestion>>,
  now: number,
): TaskRecord | undefined {
  const keys = Object.keys(questions);
  if (keys.length === 0) return undefined;
  if (keys.some((key) => Object.hasOwn(task.questions, key) || Object.hasOwn(task.answers, key))) return undefined;
  return { ...task, status: 'input_required', questions: { ...task.questions, ...questions }, updatedAt: now };
}

/** Answers to some of the questions are kept while the others stay open (XTASK-15). */
function answered(task: TaskRecord, answers: Readonly<Record<string, unknown>>, now: number): TaskRecord {
  const taken = Object.entries(answers).filter(([key]) => Object.hasOwn(task.questions, key));
  if (taken.length === 0) return task;
  const open = Object.entries(task.questions).filter(([key]) => !Object.hasOwn(answers, key));
  return {
    ...task,
    status: open.length === 0 ? 'working' : 'input_required',
    questions: Object.fromEntries(open),
    answers: Object.fromEntries([...Object.entries(task.answers), ...taken]),
    updatedAt: now,
  };
}

/** A task that is over asks nothing any more, and nobody reads its answers; its last message is replaced or goes. */
function ended(task: TaskRecord, status: TaskStatus, statusMessage: string | undefined, now: number): TaskRecord {
  const { statusMessage: _last, ...rest } = task;
  const over = { questions: {}, answers: {}, updatedAt: now };
  return { ...rest, status, ...(statusMessage !== undefined && { statusMessage }), ...over };
}
