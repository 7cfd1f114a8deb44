import { createHash } from 'node:crypto';
import { readdir, realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { SkillFile } from '../protocol/catalog/entries.js';
import { readFrontmatter, type ParseYaml } from './frontmatter.js';
import { mediaTypeOf } from './media-types.js';
import { isPassedOver, reasonOf, SkillFiles, type Flaw, type RawFile } from './skill-files.js';

const MANIFEST = 'SKILL.md';

/** A resource that a file of a skill becomes. */
export interface SkillResource {
  readonly uri: string;
  readonly name: string;
  readonly description?: string;
  readonly mimeType: string;
  /** A text wherever the bytes are one. */
  readonly content: string | Buffer;
  readonly skill: SkillFile;
}

export interface SkillsReading {
  readonly resources: readonly SkillResource[];
  readonly flaws: readonly Flaw[];
}

/**
 * Reads the folder of all skills, each of whose sub-folders is one. Everything is kept in memory: what is served is what
 * the digests are of, whatever becomes of the folder.
 */
export async function readSkills(directory: string, parse: ParseYaml): Promise<SkillsReading> {
  const asked = resolve(directory);
  const resources: SkillResource[] = [];
  const flaws: Flaw[] = [];
  try {
    const root = await realpath(asked);
    for (const entry of await readdir(root, { withFileTypes: true })) {
      if (isPassedOver(entry.name) || entry.isFile()) continue;
      if (!entry.isDirectory()) flaws.push({ path: entry.name, message: 'is no folder' });
      else await readSkill(root, entry.name, parse, { resources, flaws });
    }
  } catch (error) {
    return { resources: [], flaws: [{ path: asked, message: reasonOf(error) }] };
  }
  if (resources.length === 0 && flaws.length === 0)
    flaws.push({ path: asked, message: 'holds no folder with a skill' });
  return { resources, flaws };
}

interface Found {
  readonly resources: SkillResource[];
  readonly flaws: Flaw[];
}

async function readSkill(root: string, folder: string, parse: ParseYaml, found: Found): Promise<void> {
  const skill = new SkillFiles(root, folder);
  await skill.read();
  found.flaws.push(...skill.flaws);
  const manifest = skill.files.find(({ path }) => path.length === 1 && path[0] === MANIFEST);
  if (manifest === undefined) {
    if (skill.flaws.length === 0) found.flaws.push({ path: folder, message: `has no ${MANIFEST}` });
    return;
  }
  const path = `${folder}/${MANIFEST}`;
  const text = textOf(manifest.bytes);
  if (text === undefined) return void found.flaws.push({ path, message: 'must be a text in UTF-8' });
  const reading = readFrontmatter(text, folder, parse);
  if (!reading.ok) return void found.flaws.push(...reading.faults.map((message) => ({ path, message })));
  const { frontmatter } = reading;
  const { name, description } = frontmatter;
  const of = uriOf(folder, manifest);
  for (const file of skill.files) {
    if (file === manifest) {
      const about = { uri: of, name, description, mimeType: 'text/markdown', content: text };
      found.resources.push({ ...about, skill: { ...factsOf(file, of), frontmatter } });
    } else {
      found.resources.push({ uri: uriOf(folder, file), ...supporting(file), skill: factsOf(file, of) });
    }
  }
}

function supporting({ path, bytes }: RawFile): Pick<SkillResource, 'name' | 'mimeType' | 'content'> {
  const name = path.at(-1) ?? '';
  const content = textOf(bytes) ?? bytes;
  return { name, mimeType: mediaTypeOf(name, content), content };
}

function factsOf({ bytes }: RawFile, of: string): SkillFile {
  return { of, digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}`, size: bytes.length };
}

function uriOf(folder: string, { path }: RawFile): string {
  return `skill://${[folder, ...path].map((part) => encodeURIComponent(part.toWellFormed())).join('/')}`;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text whose UTF-8 these bytes are, to the byte; undefined when they are something else. */
function textOf(bytes: Buffer): string | undefined {
  try {
    return bytes.includes(0) ? undefined : utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
