import { encode } from '../results/encoder.js';
import { ErrorCode, ProtocolError } from '../errors.js';
import type { Reply } from '../reply.js';
import type { Revision } from '../revisions.js';
import { skillsOf, skillText, type Directory, type DirectoryChild, type Skill } from '../catalog/skill-index.js';
import type { Method, MethodCall } from './method.js';
import { pageOf, startOf } from './page.js';
import { stringParam } from './params.js';

const DIRECTORY = 'inode/directory';

function indexFor({ resolver }: MethodCall): ReturnType<typeof skillsOf> {
  return skillsOf(resolver.catalog.current.sections.resource);
}

/** A skill as this caller sees it: hidden files are not among its resources. */
async function textFor(skill: Skill, { resolver, context }: MethodCall): Promise<string> {
  return skillText(skill, await resolver.seen(skill.files, context));
}

async function isSeen({ entry }: Skill, { resolver, context }: MethodCall): Promise<boolean> {
  return (await resolver.seen([entry], context)).length > 0;
}

async function list(request: MethodCall): Promise<Reply> {
  const { resolver, context, options } = request;
  const { skills } = indexFor(request);
  const entries = skills.map(({ entry }) => entry);
  const seen = new Set(await resolver.seen(entries, context));
  const all = { name: 'skills', items: skills.filter(({ entry }) => seen.has(entry)) };
  const { items, next } = pageOf(all, startOf(all, request), options.pageSizes.resources);
  const texts: string[] = [];
  for (const skill of items) texts.push(await textFor(skill, request));
  return { members: `"skills":[${texts.join(',')}]${next}`, cache: options.cache.resources };
}

async function get(request: MethodCall): Promise<Reply> {
  const uri = stringParam(request.message.params, 'uri');
  const skill = indexFor(request).find(uri);
  if (skill === undefined || !(await isSeen(skill, request))) {
    throw new ProtocolError(ErrorCode.InvalidParams, 'Skill not found', 200, { uri });
  }
  return { members: `"skill":${await textFor(skill, request)}`, cache: request.options.cache.read };
}

/** The children that this caller sees: of subdirectories those with a file that it sees. */
async function childrenOf({ skill, children }: Directory, request: MethodCall): Promise<readonly DirectoryChild[]> {
  const { resolver, context } = request;
  if (resolver.uniform) return children;
  if (!(await isSeen(skill, request))) return [];
  const files = children.flatMap((child) => child.files);
  const seen = new Set(await resolver.seen(files, context));
  return children.filter((child) => child.files.some((file) => seen.has(file)));
}

function childText({ key, files: [file], directory }: DirectoryChild, revision: Revision): string {
  if (directory === undefined && file !== undefined) return file.fragment(revision);
  return encode({ uri: key, name: directory, mimeType: DIRECTORY });
}

async function readDirectory(request: MethodCall): Promise<Reply> {
  const { message, call, options } = request;
  const uri = stringParam(message.params, 'uri');
  const directory = indexFor(request).directory(uri);
  const children = directory === undefined ? [] : await childrenOf(directory, request);
  // A file, nothing, and what is hidden: one answer. Every directory served has a child.
  if (children.length === 0) throw new ProtocolError(ErrorCode.InvalidParams, 'Not a directory', 200, { uri });
  const all = { name: 'directory', items: children, prefix: `${uri}/` };
  const { items, next } = pageOf(all, startOf(all, request), options.pageSizes.resources);
  const texts = items.map((child) => childText(child, call.revision));
  return { members: `"resources":[${texts.join(',')}]${next}`, cache: options.cache.resources };
}

/** The methods of the skills extension (SEP-2640). */
export const skillMethods: readonly (readonly [string, Method])[] = [
  ['skills/list', list],
  ['skills/get', get],
  ['resources/directory/read', readDirectory],
];
