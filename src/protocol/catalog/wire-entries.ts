import type { PromptDefinition, ResourceDefinition, TemplateDefinition, ToolDefinition } from './entries.js';
import { isObject, type ReadonlyJsonObject } from '../json/json.js';
import type { Revision } from '../revisions.js';

/** Leaves out what is undefined: absent is never written as `null` (row 63 of the field's bug log: strict clients refuse it). */
function compact(members: Record<string, unknown>): Record<string, unknown> {
  for (const key of Object.keys(members)) if (members[key] === undefined) delete members[key];
  return members;
}

/** Handshake revisions type each property schema as an object, so boolean schemas are spelt out there. */
function schemaFor(schema: ReadonlyJsonObject, revision: Revision): ReadonlyJsonObject {
  const properties = schema['properties'];
  if (revision.booleanSchemas || !isObject(properties)) return schema;
  const entries = Object.entries(properties);
  if (!entries.some(([, value]) => typeof value === 'boolean')) return schema;
  const spelt = entries.map(([key, value]) => [key, value === true ? {} : value === false ? { not: {} } : value]);
  return { ...schema, properties: Object.fromEntries(spelt) };
}

/** The output schema as this revision can list it, if it can (TOOL-16, TOOL-17). */
export function outputSchemaFor(tool: ToolDefinition, revision: Revision): ReadonlyJsonObject | undefined {
  const schema = tool.output?.wire;
  if (schema === undefined || revision.structured === 'none') return undefined;
  if (revision.structured === 'object' && schema['type'] !== 'object') return undefined;
  return schemaFor(schema, revision);
}

function execution(tool: ToolDefinition, revision: Revision): { taskSupport: string } | undefined {
  if (revision.tasks !== 'core' || tool.task === undefined || tool.task === 'never') return undefined;
  return { taskSupport: tool.task === 'always' ? 'required' : 'optional' };
}

/** A tool as `tools/list` of this revision shows it. */
export function toWireTool(tool: ToolDefinition, revision: Revision): Record<string, unknown> {
  return compact({
    name: tool.name,
    title: revision.titles ? tool.title : undefined,
    description: tool.description,
    inputSchema: schemaFor(tool.input.wire, revision),
    outputSchema: outputSchemaFor(tool, revision),
    annotations: tool.annotations,
    execution: execution(tool, revision),
    icons: revision.icons ? tool.icons : undefined,
    _meta: revision.titles ? tool.meta : undefined,
  });
}

function annotationsFor(
  annotations: { readonly lastModified?: string } | undefined,
  revision: Revision,
): object | undefined {
  if (annotations === undefined || revision.lastModified || annotations.lastModified === undefined) return annotations;
  const { lastModified: _, ...rest } = annotations;
  return rest;
}

export function toWireResource(resource: ResourceDefinition, revision: Revision): Record<string, unknown> {
  return compact({
    uri: resource.uri,
    name: resource.name,
    title: revision.titles ? resource.title : undefined,
    description: resource.description,
    mimeType: resource.mimeType,
    size: resource.size,
    annotations: annotationsFor(resource.annotations, revision),
    icons: revision.icons ? resource.icons : undefined,
    _meta: revision.titles ? resource.meta : undefined,
  });
}

export function toWireTemplate(template: TemplateDefinition, revision: Revision): Record<string, unknown> {
  return compact({
    uriTemplate: template.uriTemplate,
    name: template.name,
    title: revision.titles ? template.title : undefined,
    description: template.description,
    mimeType: template.mimeType,
    annotations: annotationsFor(template.annotations, revision),
    icons: revision.icons ? template.icons : undefined,
    _meta: revision.titles ? template.meta : undefined,
  });
}

export function toWirePrompt(prompt: PromptDefinition, revision: Revision): Record<string, unknown> {
  const list = prompt.arguments.map((argument) =>
    compact({
      name: argument.name,
      title: revision.titles ? argument.title : undefined,
      description: argument.description,
      required: argument.required,
    }),
  );
  return compact({
    name: prompt.name,
    title: revision.titles ? prompt.title : undefined,
    description: prompt.description,
    arguments: list.length > 0 ? list : undefined,
    icons: revision.icons ? prompt.icons : undefined,
    _meta: revision.titles ? prompt.meta : undefined,
  });
}
