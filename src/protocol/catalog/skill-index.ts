import type { EntryOf } from './catalog-entries.js';
import { encode } from '../results/encoder.js';
import type { ResourceDefinition } from './entries.js';
import type { Section } from './section.js';

export const SKILLS_EXTENSION = 'io.modelcontextprotocol/skills';

const SKILL_FILE = '/SKILL.md';

type ResourceEntry = EntryOf<'resource'>;

/** One skill of the catalog. */
export interface Skill {
  /** uri of its `SKILL.md`. */
  readonly key: string;
  readonly entry: ResourceEntry;
  /** All its files, `SKILL.md` included, sorted by uri. */
  readonly files: readonly ResourceEntry[];
}

/** A direct child of a directory. */
export interface DirectoryChild {
  readonly key: string;
  /** The file itself, or every file below the subdirectory. */
  readonly files: readonly ResourceEntry[];
  /** The name of a subdirectory; files have their own. */
  readonly directory?: string;
}

export interface Directory {
  readonly skill: Skill;
  /** Sorted by uri. */
  readonly children: readonly DirectoryChild[];
}

export interface SkillIndex {
  /** Sorted by uri. */
  readonly skills: readonly Skill[];
  find(uri: string): Skill | undefined;
  /** uris of directories have no slash at the end. */
  directory(uri: string): Directory | undefined;
}

const indexes = new WeakMap<Section<ResourceDefinition>, SkillIndex>();

/** The skills among these resources. Made once for each state of the catalog. */
export function skillsOf(section: Section<ResourceDefinition>): SkillIndex {
  let index = indexes.get(section);
  if (index === undefined) indexes.set(section, (index = indexOf(section)));
  return index;
}

function indexOf({ all }: Section<ResourceDefinition>): SkillIndex {
  const files = new Map<string, ResourceEntry[]>();
  for (const entry of all) {
    const { skill } = entry.definition;
    if (skill !== undefined) listIn(files, skill.of).push(entry);
  }
  const skills = all
    .filter(({ definition }) => definition.skill?.frontmatter !== undefined)
    .map((entry) => ({ key: entry.key, entry, files: files.get(entry.key) ?? [entry] }));
  const byUri = new Map(skills.map((skill) => [skill.key, skill]));
  const directories = new Map(skills.flatMap(directoriesOf));
  return { skills, find: (uri) => byUri.get(uri), directory: (uri) => directories.get(uri) };
}

function listIn<T>(lists: Map<string, T[]>, key: string): T[] {
  let list = lists.get(key);
  if (list === undefined) lists.set(key, (list = []));
  return list;
}

/** The root of a skill and every folder in it that has a file somewhere below. */
function directoriesOf(skill: Skill): readonly (readonly [uri: string, directory: Directory])[] {
  const root = skill.key.slice(0, -SKILL_FILE.length);
  const below = new Map<string, ResourceEntry[]>();
  const childrenOf = new Map<string, string[]>();
  for (const entry of skill.files) {
    let child = entry.key;
    while (child.length > root.length) {
      const folder = child.slice(0, child.lastIndexOf('/'));
      const files = listIn(below, child);
      if (files.length === 0) listIn(childrenOf, folder).push(child);
      files.push(entry);
      child = folder;
    }
  }
  return [...childrenOf].map(([uri, children]) => {
    const sorted = children.sort().map((key) => childOf(key, below.get(key) ?? []));
    return [uri, { skill, children: sorted }];
  });
}

function childOf(key: string, files: readonly ResourceEntry[]): DirectoryChild {
  if (files[0]?.key === key) return { key, files };
  return { key, files, directory: decodeURIComponent(key.slice(key.lastIndexOf('/') + 1)) };
}

const texts = new WeakMap<Skill, string>();

/** A skill as JSON text, with those of its files. With all of them it is made once. */
export function skillText(skill: Skill, files: readonly ResourceEntry[]): string {
  if (files.length < skill.files.length) return entryText(skill, files);
  let text = texts.get(skill);
  if (text === undefined) texts.set(skill, (text = entryText(skill, files)));
  return text;
}

function entryText({ key, entry }: Skill, files: readonly ResourceEntry[]): string {
  const resources = files.map(({ key: uri, definition: { skill } }) => ({
    uri,
    digest: skill?.digest,
    size: skill?.size,
  }));
  return encode({ uri: key, frontmatter: entry.definition.skill?.frontmatter, resources });
}
