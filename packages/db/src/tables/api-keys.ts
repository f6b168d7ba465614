import type { Generated } from 'kysely';

/** A key of the public API. `secret_hash`: SHA-256 of the whole key; `preview`: its beginning and end. */
export type ApiKeysTable = {
  id: string;
  account_id: string;
  name: string;
  kind: 'live' | 'test';
  secret_hash: Buffer;
  preview: string;
  scopes: string[];
  is_active: Generated<boolean>;
  expires_at: Date | null;
  /** Units a calendar month (UTC), and calls a minute, that this key may use; null: what the plan allows. */
  monthly_cap: number | null;
  calls_per_minute: number | null;
  /** Addresses or networks that may use it; empty: all. */
  addresses: Generated<string[]>;
  usage_count: Generated<number>;
  last_used_at: Date | null;
  last_address: string | null;
  /** Of a rotated key: the one that follows it. */
  replaced_by: string | null;
  created_at: Generated<Date>;
};
