import { BadRequestException, ForbiddenException, HttpException, UnauthorizedException } from '@nestjs/common';
import { describe, expect, it } from 'vitest';
import { McpForbidden, McpUnauthorized } from '../../src/guards/http-refusals.js';
import { refusalOf } from '../../src/guards/refusal-of.js';

describe('what a guard threw', () => {
  it.each<[unknown, unknown]>([
    [new UnauthorizedException(), { status: 401 }],
    [new McpUnauthorized(), { status: 401 }],
    [new McpUnauthorized('Bearer realm="a"'), { status: 401, challenge: 'Bearer realm="a"' }],
    [new ForbiddenException(), { status: 403 }],
    [new McpForbidden('Bearer scope="a"'), { status: 403, challenge: 'Bearer scope="a"' }],
    [new BadRequestException(), { status: 400 }],
    [new HttpException('slow down', 429), { status: 429 }],
  ])('is a refusal: %s', (error, refusal) => {
    expect(refusalOf(error)).toEqual(refusal);
  });

  it.each([new Error('x'), new HttpException('x', 500), new HttpException('x', 302), 'x', undefined])(
    'is a failure: %s',
    (error) => {
      expect(refusalOf(error)).toBeUndefined();
    },
  );

  it.each(['', 'a\r\nb', 'a\nb', 'a\0b', '\u{1f511}'])('never puts %j into a header', (challenge) => {
    expect(refusalOf(new McpUnauthorized(challenge))).toEqual({ status: 401 });
  });
});
