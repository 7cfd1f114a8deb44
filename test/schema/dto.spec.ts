import 'reflect-metadata';
import { IntersectionType, OmitType, PartialType, PickType } from '@nestjs/mapped-types';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsBoolean,
  IsDate,
  IsDateString,
  IsEmail,
  IsEnum,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  IsUrl,
  Matches,
  Max,
  MaxLength,
  Min,
  registerDecorator,
  ValidateNested,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { describe, expect, it } from 'vitest';
import type { Parsed } from '../../src/protocol/catalog/entries.js';
import { compileArguments } from '../../src/schema/compile-arguments.js';
import { compileResult } from '../../src/schema/compile-result.js';
import { SchemaFault } from '../../src/schema/schema-fault.js';

enum Size {
  Small = 'small',
  Large = 'large',
}

enum Level {
  Low = 1,
  High = 2,
}

class Tag {
  @IsString()
  @MaxLength(10)
  name!: string;
}

class Base {
  @IsString()
  @IsNotEmpty()
  id!: string;
}

class Article extends Base {
  @IsInt()
  @Min(1)
  @Max(9)
  count!: number;

  @Min(0.5)
  @IsInt()
  other!: number;

  @IsNotEmpty()
  @IsNumber()
  amount!: number;

  @IsOptional()
  @IsBoolean()
  draft?: boolean;

  @IsEnum(Size)
  size!: Size;

  @IsEnum(Level)
  level!: Level;

  @IsArray()
  @IsString({ each: true })
  @ArrayMaxSize(3)
  words!: string[];

  @ValidateNested({ each: true })
  @Type(() => Tag)
  @ArrayNotEmpty()
  tags!: Tag[];

  @IsOptional()
  @ValidateNested()
  @Type(() => Tag)
  main?: Tag;
}

const good = {
  id: 'x',
  count: 1,
  other: 1,
  amount: 0,
  size: 'small',
  level: 2,
  words: ['a'],
  tags: [{ name: 'n' }],
};

async function parse(source: unknown, args: Record<string, unknown>): Promise<Parsed> {
  return compileArguments(source).parse(args);
}

async function violations(source: unknown, args: Record<string, unknown>): Promise<readonly string[]> {
  const parsed = await parse(source, args);
  return parsed.ok ? [] : parsed.violations.map(({ path, rule }) => `${path} ${rule}`);
}

const properties = (source: unknown): unknown => compileArguments(source).wire['properties'];

describe('a class-validator class', () => {
  const tag = {
    type: 'object',
    properties: { name: { type: 'string', maxLength: 10 } },
    required: ['name'],
    additionalProperties: false,
  };

  it('is listed inlined, closed, and in 2020-12 words', () => {
    const { wire } = compileArguments(Article);
    expect(wire).toEqual({
      type: 'object',
      properties: {
        id: { type: 'string', minLength: 1 },
        count: { type: 'integer', minimum: 1, maximum: 9 },
        other: { type: 'integer', minimum: 0.5 },
        amount: { type: 'number' },
        draft: { type: 'boolean' },
        size: { enum: ['small', 'large'] },
        level: { enum: [1, 2] },
        words: { type: 'array', items: { type: 'string' }, maxItems: 3 },
        tags: { type: 'array', items: tag, minItems: 1 },
        main: tag,
      },
      required: expect.any(Array) as unknown,
      additionalProperties: false,
    });
    expect((wire['required'] as string[]).toSorted()).toEqual(Object.keys(good).toSorted());
  });

  it('gets an instance of itself, nested ones too', async () => {
    const parsed = await parse(Article, good);
    expect(parsed.ok).toBe(true);
    const value = parsed.ok ? (parsed.value as Article) : undefined;
    expect(value).toBeInstanceOf(Article);
    expect(value?.tags[0]).toBeInstanceOf(Tag);
  });

  it('refuses with paths and rules', async () => {
    expect(await violations(Article, { ...good, count: 1.5 })).toEqual(['count must be integer']);
    expect(await violations(Article, { ...good, tags: [{ name: 'n', evil: 1 }] })).toEqual([
      'tags[0].evil is not allowed',
    ]);
    expect(await violations(Article, { ...good, evil: 1 })).toEqual(['evil is not allowed']);
    expect(await violations(Article, { ...good, level: 'Low' })).toEqual(['level must be one of 1, 2']);
  });

  it('runs rules that JSON Schema cannot say, at once or in time', async () => {
    const Even = (time: boolean) => (target: object, propertyName: string) =>
      registerDecorator({
        target: target.constructor,
        propertyName,
        name: 'isEven',
        async: time,
        validator: {
          validate: (value: unknown) => (time ? Promise.resolve(Number(value) % 2 === 0) : Number(value) % 2 === 0),
          defaultMessage: () => '$property must be even',
        },
      });
    class Inner {
      @Even(false) @IsInt() n!: number;
    }
    class AtOnce {
      @ValidateNested({ each: true }) @Type(() => Inner) list!: Inner[];
    }
    class InTime {
      @Even(true) @IsInt() n!: number;
    }
    expect(properties(InTime)).toEqual({ n: { type: 'integer' } });
    expect(compileArguments(AtOnce).parse({ list: [{ n: 2 }] })).toMatchObject({ ok: true });
    expect(await violations(AtOnce, { list: [{ n: 2 }, { n: 3 }] })).toEqual(['list[1].n must be even']);
    expect(compileArguments(InTime).parse({ n: 2 })).toBeInstanceOf(Promise);
    expect(await violations(InTime, { n: 3 })).toEqual(['n must be even']);
    expect(await violations(InTime, { n: 4 })).toEqual([]);
  });

  it('may be a mapped type', async () => {
    class Some extends PartialType(Article) {}
    class Few extends PickType(Article, ['id', 'tags'] as const) {}
    class Less extends OmitType(Article, ['tags', 'main', 'words', 'level', 'size', 'amount', 'other'] as const) {}
    class Both extends IntersectionType(Tag, Base) {
      @IsInt()
      extra!: number;
    }
    expect(compileArguments(Some).wire['required']).toBeUndefined();
    expect(Object.keys(properties(Some) as object)).toHaveLength(10);
    expect(properties(Few)).toEqual({
      id: { type: 'string', minLength: 1 },
      tags: { type: 'array', items: tag, minItems: 1 },
    });
    expect(Object.keys(properties(Less) as object).toSorted()).toEqual(['count', 'draft', 'id']);
    expect(properties(Both)).toMatchObject({
      name: { type: 'string' },
      id: { type: 'string' },
      extra: { type: 'integer' },
    });
    const parsed = await parse(Few, { id: 'x', tags: [{ name: 'n' }] });
    expect(parsed.ok && (parsed.value as Few).tags[0]).toBeInstanceOf(Tag);
  });

  it('keeps classes of the same name apart', () => {
    const First = (() => {
      class Part {
        @IsString() a!: string;
      }
      return Part;
    })();
    const Second = (() => {
      class Part {
        @IsInt() b!: number;
      }
      return Part;
    })();
    class Whole {
      @ValidateNested() @Type(() => First) first!: object;
      @ValidateNested() @Type(() => Second) second!: object;
    }
    expect(properties(Whole)).toMatchObject({
      first: { properties: { a: { type: 'string' } } },
      second: { properties: { b: { type: 'integer' } } },
    });
  });

  it('that contains itself is the only kind with a reference', async () => {
    class Node {
      @IsString() name!: string;
      @IsOptional() @ValidateNested({ each: true }) @Type(() => Node) kids?: Node[];
    }
    const { wire } = compileArguments(Node);
    expect(wire).toMatchObject({
      type: 'object',
      properties: { name: { type: 'string' }, kids: { type: 'array', items: { $ref: '#/$defs/Node' } } },
      $defs: { Node: { properties: { kids: { items: { $ref: '#/$defs/Node' } } } } },
    });
    expect(await violations(Node, { name: 'a', kids: [{ name: 'b', kids: [{ name: 1 }] }] })).toEqual([
      'kids[0].kids[0].name must be string',
    ]);
  });

  it('says what decorators of other packages say', () => {
    class Documented {
      @ApiProperty({ description: 'Where', example: 'Oslo' }) @IsString() place!: string;
      @ApiProperty({ enum: ['c', 'f'] }) unit!: string;
      @ApiPropertyOptional({ type: Number }) days?: number;
      @JSONSchema({ title: 'Mail' }) @IsEmail() mail!: string;
    }
    expect(compileArguments(Documented).wire).toEqual({
      type: 'object',
      properties: {
        place: { type: 'string', description: 'Where', example: 'Oslo' },
        unit: { enum: ['c', 'f'] },
        days: { type: 'number' },
        mail: { type: 'string', format: 'email', title: 'Mail' },
      },
      required: ['place', 'mail', 'unit'],
      additionalProperties: false,
    });
  });

  it('keeps formats, dates and patterns usable', async () => {
    class Formats {
      @IsDateString() when!: string;
      @IsDate() @Type(() => Date) day!: Date;
      @IsUrl() url!: string;
      @Matches(/^[a-z]+$/i) word!: string;
      @Matches(/^[a-z]+$/) lower!: string;
      @IsIn(['a', 1]) mixed!: string | number;
      @IsObject() free!: object;
      @IsOptional() untold?: string;
      @IsOptional() list?: unknown[];
    }
    const dates = [{ format: 'date' }, { format: 'date-time' }];
    expect(properties(Formats)).toEqual({
      when: { type: 'string', anyOf: dates },
      day: { type: 'string', anyOf: dates },
      url: { type: 'string' },
      word: { type: 'string' },
      lower: { type: 'string', pattern: '^[a-z]+$' },
      mixed: { enum: ['a', 1] },
      free: { type: 'object' },
      untold: { type: 'string' },
      list: { type: 'array', items: {} },
    });
    const args = {
      when: '2026-01-02',
      day: '2026-01-02',
      url: 'example.com',
      word: 'ABC',
      lower: 'abc',
      mixed: 1,
      free: { a: { b: 1 } },
    };
    const parsed = await parse(Formats, args);
    expect(parsed.ok && (parsed.value as Formats).day).toEqual(new Date('2026-01-02'));
    expect(parsed.ok && (parsed.value as Formats).free).toEqual({ a: { b: 1 } });
    expect(await violations(Formats, { ...args, word: '1' })).toHaveLength(1);
  });

  it('has the names and properties that class-transformer shows', async () => {
    class Named {
      @Expose({ name: 'user_name' }) @IsString() userName!: string;
      @IsOptional() @Exclude() @IsString() secret?: string;
      @Exclude({ toPlainOnly: true }) @IsString() password!: string;
    }
    expect(Object.keys(properties(Named) as object)).toEqual(['user_name', 'password']);
    const parsed = await parse(Named, { user_name: 'a', password: 'b' });
    expect(parsed).toMatchObject({ ok: true, value: { userName: 'a', password: 'b' } });
    expect(Object.keys(compileResult(Named).wire['properties'] as object)).toEqual(['userName']);
  });

  it('may choose among nested classes by a discriminator', async () => {
    class Shape {}
    class Circle extends Shape {
      @IsNumber() radius!: number;
    }
    class Square extends Shape {
      @IsNumber() side!: number;
    }
    class Drawing {
      @ValidateNested()
      @Type(() => Shape, {
        discriminator: {
          property: 'kind',
          subTypes: [
            { name: 'circle', value: Circle },
            { name: 'square', value: Square },
          ],
        },
      })
      shape!: Shape;
    }
    const parsed = await parse(Drawing, { shape: { kind: 'square', side: 1 } });
    expect(parsed.ok && (parsed.value as Drawing).shape).toBeInstanceOf(Square);
    expect(await violations(Drawing, { shape: { kind: 'circle', side: 1 } })).toContain('shape.radius is required');
  });

  it('as a result schema cuts and lists', () => {
    const result = compileResult(Tag);
    expect(result.wire).toEqual(tag);
    expect(result.parse({ name: 'n', password: 'x' })).toEqual({ ok: true, value: { name: 'n' } });
  });

  it('with a default keeps it when the argument is left out', async () => {
    class Defaults {
      @IsOptional() @IsInt() days = 3;
    }
    expect(await parse(Defaults, {})).toMatchObject({ ok: true, value: { days: 3 } });
  });

  it.each([
    ['without decorators', class Plain {}, /Plain has no class-validator decorators/],
    [
      'whose nested class is unknown',
      (() => {
        class Nested {
          @ValidateNested() tag!: Tag;
        }
        return Nested;
      })(),
      /property Nested\.tag: @ValidateNested needs @Type/,
    ],
    [
      'with a date that nothing makes',
      (() => {
        class Dated {
          @IsDate() day!: Date;
        }
        return Dated;
      })(),
      /property Dated\.day: @IsDate needs @Type/,
    ],
    [
      'whose rules exclude each other',
      (() => {
        class Torn {
          @IsString() @IsInt() x!: string;
        }
        return Torn;
      })(),
      /property Torn\.x: types .* exclude each other/,
    ],
  ])('%s is refused at boot', (_, source, message) => {
    expect(() => compileArguments(source)).toThrow(SchemaFault);
    expect(() => compileArguments(source)).toThrow(message);
  });

  it('lets no caller name a class or a prototype in its free-form parts', async () => {
    class Free {
      @IsObject() meta!: object;
    }
    const args = JSON.parse('{"meta":{"list":[{"constructor":"x"}]}}') as Record<string, unknown>;
    expect(await violations(Free, args)).toEqual(['meta.list[0].constructor has a name that is not allowed']);
    const proto = JSON.parse('{"meta":{"__proto__":{"polluted":true}}}') as Record<string, unknown>;
    expect(await violations(Free, proto)).toEqual(['meta.__proto__ has a name that is not allowed']);
  });

  it('may make its date by @Transform', async () => {
    class Dated {
      @IsDate() @Transform(({ value }) => new Date(String(value))) day!: Date;
    }
    expect((await parse(Dated, { day: '2026-01-02' })).ok).toBe(true);
  });
});
