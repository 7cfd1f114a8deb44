import { METADATA_URL } from '../config.js';

/** Value of `WWW-Authenticate` (RFC 6750, 3; RFC 9728, 5.1): what was wrong, and where a client learns how to do better. */
export function challenge(parameters: Readonly<Record<string, string>> = {}): string {
  const all = Object.entries({ ...parameters, resource_metadata: METADATA_URL });
  return `Bearer ${all.map(([name, value]) => `${name}="${value}"`).join(', ')}`;
}
