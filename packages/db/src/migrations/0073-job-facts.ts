import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

/** The plan that each job was created on, and the images that were rejected before they had a job. */
export const jobFacts: Migration = {
  up: runAll([
    `create table rejected_images (
      id uuid primary key default gen_random_uuid(),
      account_id uuid not null references users on delete cascade,
      surface text not null check (surface in ('web', 'api')),
      filename text not null,
      error_code text not null,
      error_detail text not null,
      created_at timestamptz not null default now()
    )`,
    'create index rejected_images_account on rejected_images (account_id, created_at)',
    'create index rejected_images_created on rejected_images (created_at)',
    // Last, because it locks jobs from reads until the transaction ends, and the foreign key may wait for accounts.
    'alter table jobs add column account_tier text',
  ]),
  down: runAll(['drop table rejected_images', 'alter table jobs drop column account_tier']),
};
