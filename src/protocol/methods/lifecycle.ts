import { LOG_LEVELS, type Implementation, type LogLevel } from '../call.js';
import { capabilitiesOf, implementationFor } from '../capabilities.js';
import { encode } from '../results/encoder.js';
import { ErrorCode, ProtocolError } from '../errors.js';
import type { Reply } from '../reply.js';
import { findRevision, type Revision } from '../revisions.js';
import { featuresOf, type Method, type MethodCall } from './method.js';
import { objectParam, stringParam } from './params.js';

/** The object's members as JSON text, without the braces. */
function members(result: object): string {
  return encode(result).slice(1, -1);
}

function clientInfo(params: Readonly<Record<string, unknown>>): Implementation {
  const info = objectParam(params, 'clientInfo');
  const name = stringParam(info, 'name', 'params.clientInfo.name');
  return { ...info, name, version: stringParam(info, 'version', 'params.clientInfo.version') };
}

/** Counter-offers the newest revision with a handshake when the client's is not served here (VER-17 to VER-19). */
function negotiate(served: readonly Revision[], requested: string): Revision {
  const legacy = served.filter(({ era }) => era === 'legacy');
  const exact = findRevision(requested);
  const revision = exact !== undefined && legacy.includes(exact) ? exact : legacy[0];
  if (revision !== undefined) return revision;
  throw new ProtocolError(ErrorCode.InvalidParams, 'No protocol revision with a handshake is served here', 400, {
    supported: served.map(({ name }) => name),
    requested,
  });
}

function initialize(request: MethodCall): Reply {
  const { message, options, call, context } = request;
  const requested = stringParam(message.params, 'protocolVersion');
  const clientCapabilities = objectParam(message.params, 'capabilities');
  const info = clientInfo(message.params);
  const revision = negotiate(options.revisions, requested);
  const { info: serverInfo, instructions } = options.identify?.(context) ?? options;
  const result = {
    protocolVersion: revision.name,
    capabilities: capabilitiesOf(featuresOf(request, { ...call, revision })),
    serverInfo: implementationFor(serverInfo, revision),
    ...(instructions === undefined ? {} : { instructions }),
  };
  return { members: members(result), opened: { revision, clientInfo: info, clientCapabilities } };
}

function discover(request: MethodCall): Reply {
  const { options, call, context } = request;
  const { instructions } = options.identify?.(context) ?? options;
  const result = {
    supportedVersions: options.revisions.map(({ name }) => name),
    capabilities: capabilitiesOf(featuresOf(request, call)),
    ...(instructions === undefined ? {} : { instructions }),
  };
  return { members: members(result), cache: options.cache.discover };
}

async function setLevel({ message, call }: MethodCall): Promise<Reply> {
  const level = stringParam(message.params, 'level');
  if (!LOG_LEVELS.includes(level as LogLevel)) {
    throw new ProtocolError(ErrorCode.InvalidParams, `params.level must be one of ${LOG_LEVELS.join(', ')}`);
  }
  await call.conversation?.setLogLevel(level as LogLevel);
  return { members: '' };
}

export const lifecycleMethods: readonly (readonly [string, Method])[] = [
  ['initialize', initialize],
  ['ping', () => ({ members: '' })],
  ['server/discover', discover],
  ['logging/setLevel', setLevel],
];
