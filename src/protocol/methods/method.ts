import type { Call, RequestMessage } from '../call.js';
import type { CallContext } from '../call-context.js';
import type { Features } from '../capabilities.js';
import type { Snapshot } from '../catalog/catalog.js';
import type { Capacity } from '../limits.js';
import type { Questions } from '../questions/questions.js';
import type { Reply } from '../reply.js';
import type { Resolver } from '../catalog/resolver.js';
import type { Round } from '../questions/round.js';
import type { ServerOptions } from '../server-options.js';
import type { TaskRunner } from '../tasks/task-runner.js';

/** What every method of one server works with. */
export interface MethodHost {
  readonly options: ServerOptions;
  readonly resolver: Resolver;
  readonly capacity: Capacity;
  /** Undefined where the host keeps no tasks. */
  readonly tasks: TaskRunner | undefined;
}

export interface MethodCall extends MethodHost {
  readonly message: RequestMessage;
  readonly call: Call;
  readonly context: CallContext;
  /** How this call asks its client; undefined when it cannot. */
  readonly questions: Questions | undefined;
  /** How this call asks by ending and being replayed (2026-07-28). */
  readonly round: Round | undefined;
}

/** A JSON-RPC method: answers with a reply, or throws what `failures.ts` maps. */
export type Method = (request: MethodCall) => Promise<Reply> | Reply;

const taskTools = new WeakMap<Snapshot, boolean>();

function hasTaskTools(snapshot: Snapshot): boolean {
  let found = taskTools.get(snapshot);
  if (found === undefined) {
    found = snapshot.sections.tool.entries.some(({ definition }) => (definition.task ?? 'never') !== 'never');
    taskTools.set(snapshot, found);
  }
  return found;
}

export function featuresOf(
  { options, resolver, tasks }: MethodHost,
  { revision, abilities, identityKey }: Pick<Call, 'revision' | 'abilities' | 'identityKey'>,
): Features {
  const snapshot = resolver.catalog.current;
  return {
    revision,
    abilities,
    // Older revisions could say that there are skills, yet have no method to ask for them (EXT-05).
    skills: options.skills === true && revision.methods.has('skills/list'),
    // What sources will offer is not known before a caller asks for it.
    completions: snapshot.completions.size > 0 || options.sources !== undefined,
    tasks:
      tasks !== undefined && revision.tasks !== 'none' && (hasTaskTools(snapshot) || options.sources !== undefined),
    // Anonymous callers without a conversation cannot be told apart (LTASK-21).
    taskList: identityKey !== undefined || abilities.conversation,
  };
}
