import type { CompletionDefinition, Definition, Fault, PromptDefinition, ToolDefinition } from './entries.js';
import { isListed, keyOf } from './catalog-entries.js';
import { findMirroredParameters } from './mirrored-parameters.js';
import { compileUriTemplate } from '../uri-templates/uri-template.js';

const TOOL_NAME = /^[A-Za-z0-9_.-]{1,128}$/;
/** What every known client takes; names outside it work by the specification, yet some clients drop them. */
const PORTABLE_TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/;
/** RFC 3986 scheme (RES-16). */
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;

export interface CatalogReport {
  readonly faults: readonly Fault[];
  readonly warnings: readonly Fault[];
}

function checkTool(tool: ToolDefinition, faults: Fault[], warnings: Fault[]): void {
  const { source, name } = tool;
  if (!TOOL_NAME.test(name)) {
    faults.push({ source, message: `tool name ${JSON.stringify(name)} must be 1 to 128 of A-Z a-z 0-9 _ . -` });
  } else if (!PORTABLE_TOOL_NAME.test(name)) {
    warnings.push({
      source,
      message: `tool name ${JSON.stringify(name)} is refused by some clients; 1 to 64 of A-Z a-z 0-9 _ - works everywhere`,
    });
  }
  for (const message of findMirroredParameters(tool.input.wire).faults) {
    faults.push({ source, message: `tool ${JSON.stringify(name)}: ${message}` });
  }
}

function checkPrompt(prompt: PromptDefinition, faults: Fault[]): void {
  const { source, name } = prompt;
  if (name === '' || CONTROL.test(name)) {
    faults.push({
      source,
      message: `prompt name ${JSON.stringify(name)} must not be empty or hold control characters`,
    });
  }
  const seen = new Set<string>();
  for (const argument of prompt.arguments) {
    if (seen.has(argument.name)) {
      faults.push({
        source,
        message: `prompt ${JSON.stringify(name)} declares argument ${JSON.stringify(argument.name)} twice`,
      });
    }
    seen.add(argument.name);
  }
}

function checkUri(source: string, uri: string, what: string, faults: Fault[]): void {
  if (!SCHEME.test(uri) || CONTROL.test(uri)) {
    faults.push({ source, message: `${what} ${JSON.stringify(uri)} must start with a scheme, such as notes://` });
  }
}

function checkTemplate(source: string, uriTemplate: string, faults: Fault[]): void {
  const reading = compileUriTemplate(uriTemplate);
  if (reading.ok) return;
  for (const fault of reading.faults) {
    faults.push({ source, message: `template ${JSON.stringify(uriTemplate)}: ${fault}` });
  }
}

function completionKey({ ref, argument }: CompletionDefinition): string {
  return JSON.stringify([ref.type, ref.type === 'ref/prompt' ? ref.name : ref.uri, argument]);
}

function checkCompletion(completion: CompletionDefinition, all: readonly Definition[], faults: Fault[]): void {
  const { ref, argument, source } = completion;
  if (ref.type === 'ref/prompt') {
    const prompt = all.find((other) => other.kind === 'prompt' && other.name === ref.name);
    if (prompt?.kind !== 'prompt') {
      faults.push({ source, message: `completes prompt ${JSON.stringify(ref.name)}, which does not exist` });
    } else if (!prompt.arguments.some(({ name }) => name === argument)) {
      faults.push({
        source,
        message: `completes argument ${JSON.stringify(argument)}, which prompt ${JSON.stringify(ref.name)} does not have`,
      });
    }
    return;
  }
  const template = all.find((other) => other.kind === 'template' && other.uriTemplate === ref.uri);
  if (template === undefined) {
    faults.push({ source, message: `completes template ${JSON.stringify(ref.uri)}, which does not exist` });
    return;
  }
  const reading = compileUriTemplate(ref.uri);
  // An unusable template is its own fault, reported where it is declared.
  if (reading.ok && !reading.template.variables.includes(argument)) {
    faults.push({
      source,
      message: `completes variable ${JSON.stringify(argument)}, which template ${JSON.stringify(ref.uri)} does not have`,
    });
  }
}

/** Everything wrong with a set of definitions, at once. */
export function checkDefinitions(definitions: readonly Definition[]): CatalogReport {
  const faults: Fault[] = [];
  const warnings: Fault[] = [];
  const owners = new Map<string, string>();
  for (const definition of definitions) {
    const { source } = definition;
    const key = isListed(definition) ? keyOf(definition) : completionKey(definition);
    const owner = owners.get(`${definition.kind} ${key}`);
    if (owner !== undefined) {
      faults.push({ source, message: `${definition.kind} ${JSON.stringify(key)} is already declared by ${owner}` });
    } else {
      owners.set(`${definition.kind} ${key}`, source);
    }
    switch (definition.kind) {
      case 'tool':
        checkTool(definition, faults, warnings);
        break;
      case 'prompt':
        checkPrompt(definition, faults);
        break;
      case 'resource':
        checkUri(source, definition.uri, 'resource uri', faults);
        break;
      case 'template':
        checkTemplate(source, definition.uriTemplate, faults);
        break;
      case 'completion':
        checkCompletion(definition, definitions, faults);
        break;
    }
  }
  return { faults, warnings };
}
