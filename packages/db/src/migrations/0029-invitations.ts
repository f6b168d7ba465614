import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

/** Invitations by email, with which people create accounts also while registration is closed. */
export const invitations: Migration = {
  up: runAll([
    `create table invitations (
      id uuid primary key,
      email text not null,
      role text check (role in ('owner', 'admin', 'editor', 'support', 'viewer')),
      token_hash bytea unique,
      invited_by uuid references users on delete set null,
      created_at timestamptz not null default now(),
      sent_at timestamptz not null default now(),
      expires_at timestamptz not null
    )`,
    'create unique index invitations_email on invitations (lower(email))',
    'create index invitations_invited_by on invitations (invited_by)',
    'create index invitations_expiry on invitations (expires_at)',
  ]),
  down: runAll(['drop table invitations']),
};
