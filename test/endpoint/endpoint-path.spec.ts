import { ApplicationConfig } from '@nestjs/core';
import { describe, expect, it } from 'vitest';
import { comparablePath, endpointPaths } from '../../src/endpoint/endpoint-path.js';

describe('the path of a request, for comparison', () => {
  it.each([
    ['/mcp', '/mcp'],
    ['/MCP', '/mcp'],
    ['/mcp/', '/mcp'],
    ['/%6dcp', '/mcp'],
    ['/mcp?a=/b', '/mcp'],
    ['/mcp#part', '/mcp'],
    ['http://127.0.0.1:3000/mcp?x', '/mcp'],
    ['HTTPS://host/api/mcp/', '/api/mcp'],
    ['http://host', '/'],
    ['/', '/'],
    ['', '/'],
    ['*', '*'],
    ['/%zz', '/%zz'],
    ['/mcp//', '/mcp/'],
  ])('%s is %s', (target, path) => {
    expect(comparablePath(target)).toBe(path);
  });
});

describe('the paths of an endpoint', () => {
  it('stands behind the global prefix, or without it where the prefix excludes it', () => {
    const config = new ApplicationConfig();
    expect(endpointPaths(config, '', 'mcp')).toEqual(['/mcp']);
    config.setGlobalPrefix('/API/v1/');
    expect(endpointPaths(config, '', '/Mcp/')).toEqual(['/api/v1/mcp', '/mcp']);
  });

  it('stands behind the path that RouterModule gave the module', () => {
    const config = new ApplicationConfig();
    config.setGlobalPrefix('api');
    expect(endpointPaths(config, '/tools', 'mcp')).toEqual(['/api/tools/mcp', '/tools/mcp']);
  });
});
