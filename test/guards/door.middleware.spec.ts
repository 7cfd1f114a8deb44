import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { doorMiddleware, type DoorRules } from '../../src/guards/door.middleware.js';
import { hostRule } from '../../src/transport/http/host.js';
import { originRule } from '../../src/transport/http/origin.js';

const APP = 'https://app.example.com';
let server: Server;
const said: string[] = [];

const rules = (): DoorRules => ({
  origins: originRule([APP]),
  hosts: hostRule(undefined),
  allow: 'POST',
  parameterHeaders: ['Mcp-Param-Region'],
  logger: { warn: (message) => said.push(message), error: (message) => said.push(message) },
});

/** The door in front of something that answers 200. */
async function open(rulesOf: () => DoorRules): Promise<string> {
  const door = doorMiddleware(rulesOf);
  server = createServer((request, response) => {
    response.setHeader('vary', 'Accept-Encoding, origin');
    door(request, response, () => response.end('in'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

afterEach(() => {
  said.length = 0;
  return new Promise((resolve) => server.close(resolve));
});

describe('the front door', () => {
  it('lets in what is no browser', async () => {
    const response = await fetch(await open(rules));
    expect(await response.text()).toBe('in');
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('lets an allowed origin in, with the headers its browser needs and one Vary', async () => {
    const response = await fetch(await open(rules), { headers: { origin: APP } });
    expect(await response.text()).toBe('in');
    expect(response.headers.get('access-control-allow-origin')).toBe(APP);
    expect(response.headers.get('vary')).toBe('Accept-Encoding, origin');
  });

  it.each(['null', 'https://app.example.com.evil.example', 'http://app.example.com', `${APP}:8443`])(
    'refuses the origin %s, and says so in the log without repeating it',
    async (origin) => {
      const response = await fetch(await open(rules), { headers: { origin } });
      expect(response.status).toBe(403);
      expect(said).toEqual(['Refused a request: its Origin is not one of allowedOrigins']);
    },
  );

  it('answers a preflight by itself', async () => {
    const headers = { origin: APP, 'access-control-request-method': 'POST' };
    const response = await fetch(await open(rules), { method: 'OPTIONS', headers });
    expect(response.status).toBe(204);
    expect(await response.text()).toBe('');
    expect(response.headers.get('access-control-allow-headers')).toContain('Mcp-Param-Region');
    expect(response.headers.get('vary')).toContain('Access-Control-Request-Method');
  });

  it('never throws: what fails behind it is a refusal', async () => {
    const broken = (): DoorRules => ({
      ...rules(),
      get hosts(): never {
        throw new Error('secret');
      },
    });
    const response = await fetch(await open(broken));
    expect(response.status).toBe(503);
    expect(await response.text()).not.toContain('secret');
    expect(said).toEqual(['The front door failed']);
  });

  it('is closed until the server has started', async () => {
    const response = await fetch(
      await open(() => {
        throw new Error('not yet');
      }),
    );
    expect(response.status).toBe(503);
    expect(response.headers.get('content-type')).toBe('application/json');
  });
});
