import { createServer, IncomingMessage, ServerResponse, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { afterEach, describe, expect, it } from 'vitest';
import { DoorGuard } from '../../src/guards/door.guard.js';
import { doorMiddleware, type DoorRules } from '../../src/guards/door.middleware.js';
import { hostRule } from '../../src/transport/http/host.js';
import { originRule } from '../../src/transport/http/origin.js';

const quiet = { warn: () => undefined, error: () => undefined, debug: () => undefined };
const rules: DoorRules = {
  origins: originRule(['https://app.example.com']),
  hosts: hostRule(undefined),
  allow: 'POST',
  parameterHeaders: [],
  logger: quiet,
};

function contextOf(request: IncomingMessage, response: ServerResponse): ExecutionContext {
  const http = { getRequest: () => request, getResponse: () => response };
  // As much of Nest's context as a guard of an HTTP route asks for.
  return { switchToHttp: () => http } as unknown as ExecutionContext;
}

let server: Server;
afterEach(() => new Promise((resolve) => server.close(resolve)));

/** The guard behind a router that did, or did not, run the middleware first. */
async function open(viaMiddleware: boolean, guards: readonly CanActivate[] = []): Promise<string> {
  const door = new DoorGuard({ rules, keepers: guards.map((guard) => () => guard), logger: quiet });
  const judge = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const allowed = await door.canActivate(contextOf(request, response));
    if (!response.headersSent) response.end(allowed ? 'in' : 'out');
  };
  server = createServer((request, response) => {
    const next = (): void => void judge(request, response);
    if (viaMiddleware) doorMiddleware(() => rules)(request, response, next);
    else next();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

describe.each([true, false])('the guard of the endpoint, behind the middleware: %s', (viaMiddleware) => {
  it('lets nobody past the front door', async () => {
    const response = await fetch(await open(viaMiddleware), { headers: { origin: 'https://evil.example' } });
    expect(response.status).toBe(403);
    expect(await response.text()).toContain('Origin not allowed');
  });

  it('lets in whom the front door lets in, with one set of headers', async () => {
    const response = await fetch(await open(viaMiddleware), { headers: { origin: 'https://app.example.com' } });
    expect(await response.text()).toBe('in');
    expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
  });

  it('asks every guard until one refuses', async () => {
    const asked: number[] = [];
    const guard = (nr: number, verdict: boolean): CanActivate => ({ canActivate: () => asked.push(nr) > 0 && verdict });
    const url = await open(viaMiddleware, [guard(1, true), guard(2, false), guard(3, true)]);
    expect(await (await fetch(url)).text()).toBe('out');
    expect(asked).toEqual([1, 2]);
  });
});
