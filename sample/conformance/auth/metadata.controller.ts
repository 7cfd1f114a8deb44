import { Controller, Get, Inject, VERSION_NEUTRAL } from '@nestjs/common';
import { endpointOf } from '../endpoint.js';
import { OPTIONS } from '../tokens.js';
import type { ConformanceOptions } from '../options.js';

/** Path of the protected-resource metadata of the whole origin (RFC 9728). */
export const METADATA_PATH = '.well-known/oauth-protected-resource';

/** Tells clients where to get a token: at the root, and at the path forms of the endpoint (RFC 9728, 3.1). */
@Controller({ path: METADATA_PATH, version: VERSION_NEUTRAL })
export class MetadataController {
  constructor(@Inject(OPTIONS) private readonly options: ConformanceOptions) {}

  @Get(['', 'mcp', 'api/mcp'])
  metadata() {
    return {
      resource: endpointOf(this.options),
      authorization_servers: ['https://auth.example.com'],
      scopes_supported: ['mcp'],
      bearer_methods_supported: ['header'],
    };
  }
}
