import 'reflect-metadata';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { declarationsOf } from '../../src/decorators/metadata.js';
import { McpArg } from '../../src/decorators/mcp-arg.js';
import { McpCtx } from '../../src/decorators/mcp-ctx.js';
import { McpPrompt } from '../../src/decorators/mcp-prompt.js';
import { McpResource } from '../../src/decorators/mcp-resource.js';
import { McpTool } from '../../src/decorators/mcp-tool.js';
import type { McpContext } from '../../src/protocol/context.js';

class Query {
  text = '';
}

const numbers = z.object({ n: z.number() });

/** What compiles here is part of the test: the decorators check the parameter they can know the type of. */
class Typed {
  @McpTool()
  none(): void {}

  @McpTool({ input: numbers })
  schema({ n }: { n: number }, context: McpContext): string {
    return `${context.method}${n}`;
  }

  @McpTool({ input: z.object({ n: z.number().default(1) }) })
  async withDefault({ n }: { n: number }): Promise<number> {
    return n;
  }

  @McpTool({ input: Query })
  dto(query: Query): string {
    return query.text;
  }

  @McpTool({ input: { type: 'object', properties: { text: { type: 'string' } } } })
  json({ text }: { text?: string }, context: McpContext): string {
    return `${context.method}${text ?? ''}`;
  }

  @McpTool({ input: numbers })
  picked(@McpArg('n') n: number, @McpCtx() context: McpContext, @McpArg('m') m = 2): string {
    return `${context.method}${n}${m}`;
  }

  @McpTool({ input: numbers })
  contextFirst(@McpCtx() context: McpContext, @McpArg('n') n: number): string {
    return `${context.method}${n}`;
  }

  @McpPrompt()
  prompt(@McpArg('place') place: string, @McpArg('days') days?: string): string {
    return place + (days ?? '');
  }

  // @ts-expect-error: the schema gives a number
  @McpTool({ input: numbers })
  wrong({ n }: { n: string }): string {
    return n;
  }

  // @ts-expect-error: the DTO has no such member
  @McpTool({ input: Query })
  wrongDto({ other }: { other: string }): string {
    return other;
  }
}

function Replace(): MethodDecorator {
  return (_target, _key, descriptor: PropertyDescriptor) => {
    descriptor.value = () => 'replaced';
  };
}

class Base {
  @McpTool({ name: 'a' })
  a(): void {}
}

class Derived extends Base {
  @Replace()
  @McpTool({ name: 'b' })
  @McpResource({ uri: 'x://b' })
  b(): string {
    return 'original';
  }
}

describe('method decorators', () => {
  it('leave the method as it is', () => {
    expect(new Typed().schema({ n: 1 }, { method: 'm' } as McpContext)).toBe('m1');
  });

  it('remember each role by class and key, with the function as it was then', () => {
    const [resource, tool] = declarationsOf(Derived.prototype);
    expect(resource).toMatchObject({ kind: 'resource', key: 'b', options: { uri: 'x://b' } });
    expect(tool).toMatchObject({ kind: 'tool', key: 'b', options: { name: 'b' } });
    expect(typeof tool?.method).toBe('function');
    expect(tool?.method).not.toBe(Derived.prototype.b);
    expect(new Derived().b()).toBe('replaced');
  });

  it("do not touch the base class's declarations", () => {
    expect(declarationsOf(Base.prototype).map(({ key }) => key)).toEqual(['a']);
    expect(declarationsOf(Derived.prototype).map(({ key }) => key)).toEqual(['b', 'b']);
  });
});
