import type { Generated } from 'kysely';

/** A browser that a user has signed in with. `secret_hash`: SHA-256 of the secret that its long-lived cookie carries. */
export type DevicesTable = {
  user_id: string;
  secret_hash: Buffer;
  user_agent: string | null;
  created_at: Generated<Date>;
  last_seen_at: Generated<Date>;
};
