import { Injectable } from '@nestjs/common';
import { McpAuthenticator } from 'nestjs-mcp';
import { CALLERS, type Caller } from './callers.js';

interface IncomingRequest {
  readonly headers: { readonly authorization?: string };
}

/** What it answers is `context.identity` everywhere; undefined, or a throw, is a 401 with the challenge. */
@Injectable()
export class TokenAuthenticator extends McpAuthenticator<Caller> {
  authenticate({ headers }: IncomingRequest): Caller | undefined {
    const [, token = ''] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
    return CALLERS.get(token);
  }

  override challenge({ headers }: IncomingRequest): string {
    const realm = 'Bearer realm="documents"';
    return headers.authorization === undefined ? realm : `${realm}, error="invalid_token"`;
  }
}
