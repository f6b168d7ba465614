import { findKeyOrigins, listKeyOrigins } from '@uprez/db/queries/api-keys/api-keys';
import type { Needs } from '../context.ts';
import { makeRecentReads } from '../make-recent-reads.ts';

const freshnessMs = 2_000;

/** The origins that API keys allow, besides those of the security settings. */
export type KeyOrigins = {
  /** Whether an active key allows an origin. */
  includes: (origin: string) => Promise<boolean>;
  /**
   * Returns the origins of the key that created a job, or none if it was created without a key or the key was deleted.
   */
  ofJob: (job: { apiKeyId: string | null }) => Promise<string[]>;
};

/** Caches the origins of all keys for 2 seconds, so that requests from unknown origins don't each need a query. */
export function openKeyOrigins({ db }: Needs<'db'>): KeyOrigins {
  const recent = makeRecentReads<ReadonlySet<string>>({ freshMs: freshnessMs, entries: 1 });
  const load = async () => new Set(await listKeyOrigins(db));
  return {
    includes: async (origin) => (await recent.read('all', load)).has(origin),
    ofJob: async ({ apiKeyId }) => (apiKeyId === null ? [] : findKeyOrigins(db, apiKeyId)),
  };
}
