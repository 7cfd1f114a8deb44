import type { Implementation, TransportAbilities } from './call.js';
import type { Revision } from './revisions.js';
import { SKILLS_EXTENSION } from './catalog/skill-index.js';
import { TASKS_EXTENSION } from './tasks/task-access.js';

/** The server's identity as this revision knows it (META-19, META-22). */
export function implementationFor(info: Implementation, revision: Revision): Record<string, unknown> {
  const { name, version, title, description, websiteUrl, icons, ...rest } = info;
  return {
    ...(revision.icons ? rest : {}),
    name,
    version,
    ...(revision.titles && title !== undefined ? { title } : {}),
    ...(revision.icons
      ? Object.fromEntries(
          Object.entries({ description, websiteUrl, icons }).filter(([, value]) => value !== undefined),
        )
      : {}),
  };
}

export interface Features {
  readonly revision: Revision;
  readonly abilities: TransportAbilities;
  /** Something can be completed. */
  readonly completions: boolean;
  /** The host offers skills, and this revision has their methods. */
  readonly skills: boolean;
  /** Tasks exist in this revision, and some tool may become one. */
  readonly tasks: boolean;
  /** This caller's tasks can be told from others'. */
  readonly taskList: boolean;
}

/** Notifications that nobody asked for can reach this client. */
function canNotify({ revision, abilities }: Features): boolean {
  return abilities.streams && (revision.era === 'modern' || abilities.conversation);
}

/** What is declared is what works on this transport and in this session mode (DISC-06). */
export function capabilitiesOf(features: Features): Record<string, unknown> {
  const { revision } = features;
  const notify = canNotify(features);
  const listChanged = notify ? { listChanged: true } : {};
  // Modern clients are never told of `tasks` itself, nor 2025-11-25 clients of the extension (XTASK-24, XTASK-25).
  const extensions = {
    ...(features.skills ? { [SKILLS_EXTENSION]: { directoryRead: true } } : {}),
    ...(features.tasks && revision.tasks === 'extension' ? { [TASKS_EXTENSION]: {} } : {}),
  };
  return {
    tools: listChanged,
    resources: { ...listChanged, ...(notify ? { subscribe: true } : {}) },
    prompts: listChanged,
    ...(features.completions ? { completions: {} } : {}),
    ...(notify ? { logging: {} } : {}),
    ...(features.tasks && revision.tasks === 'core'
      ? { tasks: { ...(features.taskList ? { list: {} } : {}), cancel: {}, requests: { tools: { call: {} } } } }
      : {}),
    ...(Object.keys(extensions).length > 0 ? { extensions } : {}),
  };
}

/** Whether a method of the revision is served here: undeclared is unknown (BASE-26). */
export function serves(method: string, features: Features): boolean {
  if (!features.revision.methods.has(method)) return false;
  switch (method) {
    case 'completion/complete':
      return features.completions;
    case 'logging/setLevel':
    case 'resources/subscribe':
    case 'resources/unsubscribe':
    case 'subscriptions/listen':
      return canNotify(features);
    case 'tasks/get':
    case 'tasks/result':
    case 'tasks/cancel':
    case 'tasks/update':
      return features.tasks;
    case 'tasks/list':
      return features.tasks && features.taskList;
    case 'skills/list':
    case 'skills/get':
    case 'resources/directory/read':
      return features.skills;
    default:
      return true;
  }
}
