import { sign } from './signature.js';

/** `fetch` for a client that holds the secret: it signs each body as it goes out. */
export function signedFetch(secret: string): typeof fetch {
  return (input, init) => {
    const { body } = init ?? {};
    if (typeof body !== 'string') return fetch(input, init);
    const seconds = String(Math.floor(Date.now() / 1_000));
    const headers = new Headers(init?.headers);
    headers.set('x-signed-at', seconds);
    headers.set('x-signature', sign(Buffer.from(body), seconds, secret));
    return fetch(input, { ...init, headers });
  };
}
