import type { Compiled } from './entry-compiler.js';
import type { McpResourceEntry } from './mcp-entries.js';
import type { McpSkillOptions } from '../options/mcp-options.js';
import type { Definition, Fault } from '../protocol/catalog/entries.js';
import { loadOptional } from '../schema/optional-packages.js';
import { SchemaFault } from '../schema/schema-fault.js';
import type { ParseYaml } from '../skills/frontmatter.js';
import { readSkills } from '../skills/read-skills.js';

/** `parseDocument` of the optional peer. Throws `SchemaFault` where it is not installed. */
export function loadYaml(): ParseYaml {
  return loadOptional<{ readonly parseDocument: ParseYaml }>('yaml', 'reading skills').parseDocument;
}

export interface SkillParts {
  readonly options: McpSkillOptions;
  /** How faults name the server. */
  readonly source: string;
  readonly yaml: () => ParseYaml;
  /** Makes resources of entries, with the global guards in front of them. */
  readonly compile: (entries: readonly McpResourceEntry[]) => Promise<Compiled>;
}

/** The files of all skills as resources. */
export async function skillDefinitions({ options, source, yaml, compile }: SkillParts): Promise<Compiled> {
  const faultOf = (message: string): Fault => ({ source, message: `option "skills.directory": ${message}` });
  let parse: ParseYaml;
  try {
    parse = yaml();
  } catch (error) {
    if (!(error instanceof SchemaFault)) throw error;
    return { definitions: [], faults: [faultOf(error.message)] };
  }
  const { resources, flaws } = await readSkills(options.directory, parse);
  const entries = resources.map(({ uri, name, description, mimeType, content, skill: { size } }): McpResourceEntry => ({
    kind: 'resource',
    uri,
    name,
    mimeType,
    size,
    ...(description === undefined ? {} : { description }),
    handler: () => content,
  }));
  const { definitions, faults } = await compile(entries);
  const files = new Map(resources.map(({ uri, skill }) => [uri, skill]));
  return {
    definitions: definitions.map((definition): Definition => {
      const skill = definition.kind === 'resource' ? files.get(definition.uri) : undefined;
      return definition.kind === 'resource' && skill !== undefined ? { ...definition, skill } : definition;
    }),
    faults: [...flaws.map(({ path, message }) => faultOf(`${path} ${message}`)), ...faults],
  };
}
