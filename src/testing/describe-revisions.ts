import type { RevisionName } from '../index.js';

const NAMES: readonly RevisionName[] = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'];

/** As vitest, Jest, Mocha and `node:test` have it. */
export type Describe = (title: string, body: () => void) => unknown;

/** Describes the same thing once for every protocol revision, newest first. */
export function describeRevisions(describe: Describe, title: string, body: (revision: RevisionName) => void): void {
  for (const revision of NAMES) describe(`${title} (${revision})`, () => body(revision));
}
