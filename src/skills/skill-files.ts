import type { Dirent } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** What every host accepts of one skill (SEP-2640, Limits). */
const MOST_FILES = 512;
const MOST_BYTES = 16_777_216;

/** A file of a skill as it was read. */
export interface RawFile {
  /** Relative to the folder of the skill, one member for each level. */
  readonly path: readonly string[];
  readonly bytes: Buffer;
}

/** Something wrong with a file; `path` is relative to the folder of all skills. */
export interface Flaw {
  readonly path: string;
  readonly message: string;
}

/** Git, editors and operating systems keep what is theirs under such names. */
export function isPassedOver(name: string): boolean {
  return name.startsWith('.');
}

export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? `cannot be read (${code})` : 'cannot be read';
}

/** Reads all files of one skill; beyond the bounds it reads no further. */
export class SkillFiles {
  readonly files: RawFile[] = [];
  readonly flaws: Flaw[] = [];
  #bytes = 0;
  #full = false;

  /** `root` is the real path of the folder of all skills, `folder` the name of the one that is this skill. */
  constructor(
    private readonly root: string,
    private readonly folder: string,
  ) {}

  async read(): Promise<void> {
    await this.#attempt([], () => this.#walk([]));
  }

  async #walk(path: readonly string[]): Promise<void> {
    for (const entry of await readdir(this.#place(path), { withFileTypes: true })) {
      if (this.#full) return;
      const inner = [...path, entry.name];
      if (!isPassedOver(entry.name)) await this.#attempt(inner, () => this.#take(entry, inner));
    }
  }

  async #take(entry: Dirent, path: readonly string[]): Promise<void> {
    if (entry.isDirectory()) return this.#walk(path);
    if (entry.isFile()) return this.#add(path, this.#place(path));
    if (!entry.isSymbolicLink()) return this.#refuse(path, 'is no file');
    // A link may share a file between skills; it may not reach out of their folder.
    const target = await realpath(this.#place(path));
    if (!target.startsWith(this.root + sep)) return this.#refuse(path, 'is a link out of the folder of skills');
    if (!(await stat(target)).isFile()) return this.#refuse(path, 'is a link to something that is no file');
    return this.#add(path, target);
  }

  async #add(path: readonly string[], place: string): Promise<void> {
    if (this.files.length === MOST_FILES) return this.#stop(`holds more than ${MOST_FILES} files`);
    // Asked first: what is too large is not read at all.
    const { size } = await stat(place);
    if (this.#bytes + size > MOST_BYTES) return this.#stop(`holds more than ${MOST_BYTES} bytes`);
    const bytes = await readFile(place);
    this.#bytes += bytes.length;
    this.files.push({ path, bytes });
  }

  async #attempt(path: readonly string[], work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#refuse(path, reasonOf(error));
    }
  }

  #stop(message: string): void {
    this.#full = true;
    this.#refuse([], message);
  }

  #refuse(path: readonly string[], message: string): void {
    this.flaws.push({ path: [this.folder, ...path].join('/'), message });
  }

  #place(path: readonly string[]): string {
    return join(this.root, this.folder, ...path);
  }
}
