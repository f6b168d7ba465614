import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

/** Passkeys of accounts, and the challenges that browsers sign with them. Only hashes of challenges are stored. */
export const passkeys: Migration = {
  up: runAll([
    `create table passkeys (
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      credential_id bytea not null unique,
      public_key bytea not null,
      counter bigint not null,
      transports text[] not null default '{}',
      name text not null,
      created_at timestamptz not null default now(),
      last_used_at timestamptz
    )`,
    'create index passkeys_user on passkeys (user_id, created_at)',
    `create table passkey_challenges (
      challenge_hash bytea primary key,
      user_id uuid references users on delete cascade,
      expires_at timestamptz not null
    )`,
    'create index passkey_challenges_expiry on passkey_challenges (expires_at)',
    'create index passkey_challenges_user on passkey_challenges (user_id) where user_id is not null',
  ]),
  down: runAll(['drop table passkey_challenges', 'drop table passkeys']),
};
