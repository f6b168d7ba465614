import type { Generated } from 'kysely';

/** A signed-in device. `id_hash`: SHA-256 of the secret that the cookie carries; `id`: what its owner sees. */
export type SessionsTable = {
  id_hash: Buffer;
  id: Generated<string>;
  user_id: string;
  created_at: Generated<Date>;
  last_seen_at: Generated<Date>;
  expires_at: Date;
  user_agent: string | null;
  address: string | null;
  /** Of the device it was opened on. */
  device_hash: Buffer | null;
};
