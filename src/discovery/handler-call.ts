import type { HandlerKind } from '../decorators/metadata.js';

/** Which handler a call is for. */
export interface HandlerIdentity {
  readonly kind: HandlerKind;
  /** Name of the tool, resource, template or prompt; of a completion: what it completes. */
  readonly name: string;
}

/**
 * Travels as fifth value, behind `(request, response, arguments, context)`, through guards and interceptors: tells
 * `McpExecutionContext` which handler it is, and the error exit whether the guards had passed.
 */
export class HandlerCall {
  constructor(
    readonly handler: HandlerIdentity,
    public guardsPassed: boolean,
  ) {}
}
