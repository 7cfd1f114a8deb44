import 'reflect-metadata';
import { ParseBoolPipe, ParseIntPipe } from '@nestjs/common';
import { describe, expect, it } from 'vitest';
import { McpArg } from '../../src/decorators/mcp-arg.js';
import { McpArgs } from '../../src/decorators/mcp-args.js';
import { McpCtx } from '../../src/decorators/mcp-ctx.js';
import { McpIdentity } from '../../src/decorators/mcp-identity.js';
import { parametersOf } from '../../src/decorators/parameters.js';

const pipe = new ParseBoolPipe();

class Weather {
  constructor(@McpArg('ignored') readonly ignored?: string) {}

  at(
    @McpArg('place') place: string,
    @McpArg('days', { schema: { type: 'integer' } }, ParseIntPipe) days = 1,
    @McpArg('unit') unit?: string,
    @McpArg('long', ParseBoolPipe, pipe) long?: boolean,
  ): unknown[] {
    return [place, days, unit, long];
  }

  said(
    @McpArgs(pipe) args: unknown,
    @McpArg('optional', { required: false, description: 'D', title: 'T' }) optional: unknown,
    @McpCtx() context: unknown,
    @McpIdentity() identity: unknown,
    @McpArg('needed', { required: true }) needed = 1,
  ): unknown[] {
    return [args, optional, context, identity, needed];
  }
}

class Hotter extends Weather {}
class Colder extends Weather {
  override at(@McpArg('town') town: string): unknown[] {
    return [town];
  }
}

describe('parameter decorators', () => {
  it('remember name, options and pipes by position, required up to the first default value', () => {
    expect(parametersOf(Weather.prototype, 'at')).toEqual([
      { kind: 'argument', index: 0, name: 'place', options: {}, required: true, pipes: [] },
      {
        kind: 'argument',
        index: 1,
        name: 'days',
        options: { schema: { type: 'integer' } },
        required: false,
        pipes: [ParseIntPipe],
      },
      { kind: 'argument', index: 2, name: 'unit', options: {}, required: false, pipes: [] },
      { kind: 'argument', index: 3, name: 'long', options: {}, required: false, pipes: [ParseBoolPipe, pipe] },
    ]);
  });

  it('let `required` decide where it is given', () => {
    expect(parametersOf(Weather.prototype, 'said')).toMatchObject([
      { kind: 'arguments', index: 0, pipes: [pipe] },
      { kind: 'argument', required: false, options: { description: 'D', title: 'T' } },
      { kind: 'context', index: 2 },
      { kind: 'identity', index: 3 },
      { kind: 'argument', required: true },
    ]);
  });

  it('are inherited, until a subclass decorates its own', () => {
    expect(parametersOf(Hotter.prototype, 'at')).toHaveLength(4);
    expect(parametersOf(Colder.prototype, 'at')).toMatchObject([{ name: 'town', required: true }]);
  });

  it('leave nothing on a method without them', () => {
    expect(parametersOf(Weather.prototype, 'toString')).toEqual([]);
  });
});
