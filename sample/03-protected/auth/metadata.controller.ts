import { Controller, Get } from '@nestjs/common';
import { RESOURCE } from '../config.js';

/** OAuth protected-resource metadata (RFC 9728): an ordinary route that everybody may read. */
@Controller('.well-known/oauth-protected-resource')
export class MetadataController {
  @Get(['', 'mcp'])
  metadata() {
    return {
      resource: RESOURCE,
      authorization_servers: ['https://auth.example.com'],
      scopes_supported: ['reports:read', 'reports:write'],
      bearer_methods_supported: ['header'],
    };
  }
}
