import type { ReadonlyJsonObject } from '../protocol/json/json.js';

/** What is used of a document of the package `yaml`. */
export interface YamlDocument {
  readonly errors: readonly { readonly message: string }[];
  readonly warnings: readonly { readonly message: string }[];
  toJS(): unknown;
}

/** `parseDocument` of the package `yaml`. */
export type ParseYaml = (text: string, options: { readonly stringKeys: true }) => YamlDocument;

export interface Frontmatter extends ReadonlyJsonObject {
  readonly name: string;
  readonly description: string;
}

export type FrontmatterReading =
  { readonly ok: true; readonly frontmatter: Frontmatter } | { readonly ok: false; readonly faults: readonly string[] };

const BLOCK = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;
/** Names of Agent Skills, 1 to 64 characters. */
const NAME = /^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/;
const RESERVED = 'io.modelcontextprotocol/';

/** The YAML at the head of a `SKILL.md`, as JSON. `folder` is the name of the folder that holds the file. */
export function readFrontmatter(text: string, folder: string, parse: ParseYaml): FrontmatterReading {
  const block = BLOCK.exec(text)?.[1];
  if (block === undefined) return refused('must begin with YAML between two lines of three hyphens');
  let value: unknown;
  try {
    // The empty line makes the lines that messages name those of the file.
    const document = parse(`\n${block.replaceAll('\r\n', '\n')}`, { stringKeys: true });
    const [fault] = [...document.errors, ...document.warnings];
    if (fault !== undefined) return refused(`is not YAML: ${firstLine(fault.message)}`);
    value = document.toJS();
  } catch (error) {
    return refused(`is not YAML: ${firstLine(error instanceof Error ? error.message : String(error))}`);
  }
  if (!isMap(value)) return refused('must begin with a map of YAML');
  const faults = [...unwritable(value, ''), ...ruleFaults(value, folder)];
  return faults.length > 0 ? { ok: false, faults } : { ok: true, frontmatter: value as unknown as Frontmatter };
}

function refused(fault: string): FrontmatterReading {
  return { ok: false, faults: [fault] };
}

function firstLine(message: string): string {
  return (message.split('\n', 1)[0] ?? '').replace(/:$/, '');
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What YAML can say and JSON cannot, or hosts refuse. */
function unwritable(value: unknown, path: string): readonly string[] {
  if (typeof value === 'number' && !Number.isFinite(value)) return [`${path} has no form in JSON: quote it`];
  if (Array.isArray(value)) return value.flatMap((item, index) => unwritable(item, `${path}[${index}]`));
  if (!isMap(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const at = path === '' ? key : `${path}.${key}`;
    return key === '__proto__' ? [`${at} is not a key that can be sent`] : unwritable(member, at);
  });
}

/** Characters as the rules count them: code points. */
function isTextOf(value: unknown, most: number): boolean {
  return typeof value === 'string' && value !== '' && [...value].length <= most;
}

/** The rules of Agent Skills, which hosts check before they load a skill. */
function ruleFaults(value: Record<string, unknown>, folder: string): readonly string[] {
  const { name, description, compatibility, metadata } = value;
  const faults: string[] = [];
  if (typeof name !== 'string' || !NAME.test(name)) {
    faults.push('name must be 1 to 64 lowercase letters, digits and single hyphens between them');
  } else if (name !== folder) {
    faults.push(`name must be that of its folder, ${JSON.stringify(folder)}`);
  }
  if (!isTextOf(description, 1024)) faults.push('description must be a text of 1 to 1024 characters');
  if (compatibility !== undefined && !isTextOf(compatibility, 500)) {
    faults.push('compatibility must be a text of 1 to 500 characters');
  }
  if (metadata === undefined) return faults;
  if (!isMap(metadata)) return [...faults, 'metadata must be a map of texts'];
  for (const [key, text] of Object.entries(metadata)) {
    if (typeof text !== 'string') faults.push(`metadata.${key} must be a text: quote it`);
    if (key.startsWith(RESERVED)) faults.push(`metadata.${key} is reserved for MCP`);
  }
  return faults;
}
