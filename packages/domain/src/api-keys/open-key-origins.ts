import { findKeyOrigins, listKeyOrigins } from '@uprez/db/queries/api-keys/api-keys';
import type { Needs } from '../context.ts';
import { makeRecentReads } from '../make-recent-reads.ts';

const freshMs = 2_000;

/** The origins that API keys allow, besides those of the security settings. */
export type KeyOrigins = {
  /** Whether an active key allows an origin. */
  includes: (origin: string) => Promise<boolean>;
  /** The origins of the key that created a job; none if it had no key, or the key is deleted. */
  ofJob: (job: { apiKeyId: string | null }) => Promise<string[]>;
};

/** Reads the origins of all keys at most every 2 seconds, so that requests of unknown origins need no query of their own. */
export function openKeyOrigins({ db }: Needs<'db'>): KeyOrigins {
  const recent = makeRecentReads<ReadonlySet<string>>({ freshMs, entries: 1 });
  const load = async () => new Set(await listKeyOrigins(db));
  return {
    includes: async (origin) => (await recent.read('all', load)).has(origin),
    ofJob: async ({ apiKeyId }) => (apiKeyId === null ? [] : findKeyOrigins(db, apiKeyId)),
  };
}
