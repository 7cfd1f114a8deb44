import { describe, expect, it } from 'vitest';
import type { MirroredValue, NotificationMessage, ProtocolServer, RequestMessage } from '../../../src/protocol/call.js';
import { ProtocolError } from '../../../src/protocol/errors.js';
import { checkNotification, checkRequest } from '../../../src/transport/http/agreement.js';
import { callOf } from '../../protocol/core-fixture.js';
import { ScriptedServer } from '../stdio/scripted-server.js';
import { requestOf } from './request-of.js';

const message: RequestMessage = { kind: 'request', id: 1, method: 'tools/call', params: { name: 'echo' } };
const { call } = callOf('2026-07-28');

function mirroring(values: readonly MirroredValue[] | Promise<readonly MirroredValue[]>): ProtocolServer {
  return Object.assign(new ScriptedServer(), { mirrored: () => values });
}

async function refusal(
  lines: readonly (readonly [string, string])[],
  values: readonly MirroredValue[] = [],
): Promise<string | undefined> {
  try {
    await checkRequest(message, call, requestOf(lines), mirroring(values));
    return undefined;
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    expect([error.code, error.status]).toEqual([-32020, 400]);
    return error.message;
  }
}

const METHOD = ['Mcp-Method', 'tools/call'] as const;
const name = { header: 'Mcp-Name', value: 'secret-name' };
const region = { header: 'Mcp-Param-Region', value: 'secret-region' };

describe('headers of a modern request', () => {
  it('agree', async () => {
    expect(await refusal([METHOD])).toBeUndefined();
    expect(
      await refusal([METHOD, ['mcp-name', 'secret-name'], ['MCP-PARAM-REGION', ' secret-region ']], [name, region]),
    ).toBeUndefined();
  });

  it.each([
    ['a missing method', [], [], 'Mcp-Method', 'required'],
    ['another method', [['Mcp-Method', 'secret/method']], [], 'Mcp-Method', 'match'],
    ['the method in Base64', [['Mcp-Method', '=?base64?dG9vbHMvY2FsbA==?=']], [], 'Mcp-Method', 'match'],
    ['a missing name', [METHOD], [name], 'Mcp-Name', 'required'],
    ['another name', [METHOD, ['Mcp-Name', 'secret-other']], [name], 'Mcp-Name', 'match'],
    ['a name that is a list', [METHOD, ['Mcp-Name', 'x']], [{ ...name, value: ['x'] }], 'Mcp-Name', 'match'],
    ['a missing parameter', [METHOD], [region], 'Mcp-Param-Region', 'required'],
    [
      'an invented parameter',
      [METHOD, ['Mcp-Param-Region', 'x']],
      [{ ...region, value: undefined }],
      'Mcp-Param-Region',
      'counterpart',
    ],
    [
      'an invented parameter of null',
      [METHOD, ['Mcp-Param-Region', '']],
      [{ ...region, value: null }],
      'Mcp-Param-Region',
      'counterpart',
    ],
    [
      'the first of two lines',
      [METHOD, ['Mcp-Name', 'secret-other'], ['Mcp-Name', 'secret-name']],
      [name],
      'Mcp-Name',
      'match',
    ],
    [
      'the second of two lines',
      [METHOD, ['Mcp-Name', 'secret-name'], ['Mcp-Name', 'secret-other']],
      [name],
      'Mcp-Name',
      'match',
    ],
  ] as const)('do not: %s; the refusal names the header and no value', async (_what, lines, values, header, why) => {
    const text = await refusal(lines, values);
    expect(text).toContain(header);
    expect(text).toContain(why);
    expect(text).not.toContain('secret');
  });

  it('may be absent where the body has no value', async () => {
    expect(
      await refusal(
        [METHOD],
        [
          { ...region, value: undefined },
          { ...name, value: null },
        ],
      ),
    ).toBeUndefined();
  });

  it('may be repeated, and may hold commas', async () => {
    expect(
      await refusal([METHOD, METHOD, ['Mcp-Name', 'secret-name'], ['Mcp-Name', 'secret-name']], [name]),
    ).toBeUndefined();
    expect(await refusal([METHOD, ['Mcp-Name', 'a, b']], [{ ...name, value: 'a, b' }])).toBeUndefined();
    expect(await refusal([METHOD, ['Mcp-Name', 'a'], ['Mcp-Name', 'b']], [{ ...name, value: 'a, b' }])).toBeDefined();
  });

  it('that nobody asked for are ignored', async () => {
    expect(await refusal([METHOD, ['Mcp-Param-Other', 'x'], ['Mcp-Name', 'y']])).toBeUndefined();
  });

  it('are judged too where the catalog has to be asked', async () => {
    const server = mirroring(Promise.resolve([name]));
    await expect(checkRequest(message, call, requestOf([METHOD]), server)).rejects.toThrow('Mcp-Name');
  });

  it('are judged from the outside in: the method comes first', async () => {
    expect(await refusal([['Mcp-Method', 'x']], [name, region])).toContain('Mcp-Method');
    expect(await refusal([METHOD], [name, region])).toContain('Mcp-Name');
  });
});

describe('a modern notification', () => {
  const notification: NotificationMessage = { kind: 'notification', method: 'notifications/x', params: {} };

  it('needs no header, but must not lie', () => {
    expect(() => checkNotification(notification, requestOf([]))).not.toThrow();
    expect(() => checkNotification(notification, requestOf([['Mcp-Method', 'notifications/x']]))).not.toThrow();
    expect(() => checkNotification(notification, requestOf([['Mcp-Method', 'notifications/y']]))).toThrow('Mcp-Method');
  });
});
