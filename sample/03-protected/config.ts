export const HOST = '127.0.0.1';
export const PORT = Number(process.env['PORT'] ?? 3000);

/** Where clients reach this server. Behind a proxy it is the public address; it is never taken from a request. */
export const ORIGIN = process.env['ORIGIN'] ?? `http://${HOST}:${PORT}`;
export const RESOURCE = `${ORIGIN}/mcp`;

/** RFC 9728, 3.1: the well-known part goes between the origin and the path. */
export const METADATA_URL = `${ORIGIN}/.well-known/oauth-protected-resource/mcp`;

/** Web pages that may call. */
export const ALLOWED_ORIGINS = ['https://app.example.com'];
