import { Inject, Injectable, Scope } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';

interface HttpRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Who writes: a provider of its own for each request, HTTP or MCP. Over stdio there are no headers. */
@Injectable({ scope: Scope.REQUEST })
export class Author {
  readonly name: string;

  constructor(@Inject(REQUEST) request: HttpRequest) {
    const header = request.headers['x-author'];
    this.name = typeof header === 'string' ? header : 'somebody';
  }
}
