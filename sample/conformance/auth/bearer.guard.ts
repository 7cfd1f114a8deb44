import { createHash, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { McpUnauthorized } from 'nestjs-mcp';
import { originOf, pathOf } from '../endpoint.js';
import type { ConformanceOptions } from '../options.js';
import { OPTIONS } from '../tokens.js';
import { METADATA_PATH } from './metadata.controller.js';

interface BearerRequest {
  readonly headers: { readonly authorization?: string };
  user?: { readonly sub: string };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Lets in whoever presents the token of the command line, and tells the others where to get one. */
@Injectable()
export class BearerGuard implements CanActivate {
  private readonly metadata: string;

  constructor(@Inject(OPTIONS) private readonly options: ConformanceOptions) {
    // From the configuration, never from what a request says of its host.
    this.metadata = `resource_metadata="${originOf(options)}/${METADATA_PATH}${pathOf(options)}"`;
  }

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<BearerRequest>();
    const { authorization } = request.headers;
    // RFC 6750, 3.1: without credentials the challenge says no error.
    if (authorization === undefined) throw new McpUnauthorized(`Bearer ${this.metadata}`);
    const [, token] = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization) ?? [];
    if (token === undefined || !this.isKnown(token)) {
      throw new McpUnauthorized(`Bearer error="invalid_token", ${this.metadata}`);
    }
    request.user = { sub: 'conformance' };
    return true;
  }

  private isKnown(token: string): boolean {
    const { token: known } = this.options;
    return known !== undefined && timingSafeEqual(digest(token), digest(known));
  }
}
