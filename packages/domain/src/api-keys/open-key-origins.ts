import { findKeyOrigins, listKeyOrigins } from '@uprez/db/queries/api-keys/api-keys';
import type { Needs } from '../context.ts';
import { makeRecentReads } from '../make-recent-reads.ts';

const freshnessMs = 2_000;

/** Origins that API keys allow, in addition to the origins in the security settings. */
export type KeyOrigins = {
  /** Whether any active key allows an origin. */
  includes: (origin: string) => Promise<boolean>;
  /**
   * Returns the origins that a job's key allows. Returns an empty array if the job was created without a key or the key
   * was deleted.
   */
  ofJob: (job: { apiKeyId: string | null }) => Promise<string[]>;
};

/** Caches the origins of all keys for 2 seconds. Otherwise, each request from an unknown origin would need a query. */
export function openKeyOrigins({ db }: Needs<'db'>): KeyOrigins {
  const recent = makeRecentReads<ReadonlySet<string>>({ freshMs: freshnessMs, entries: 1 });
  const load = async () => new Set(await listKeyOrigins(db));
  return {
    includes: async (origin) => (await recent.read('all', load)).has(origin),
    ofJob: async ({ apiKeyId }) => (apiKeyId === null ? [] : findKeyOrigins(db, apiKeyId)),
  };
}
