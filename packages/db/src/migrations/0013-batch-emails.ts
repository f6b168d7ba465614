import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

/** Whether the owner of an account gets emails about long batches that ended, and which ends were seen. */
export const batchEmails: Migration = {
  up: runAll([
    'alter table users add batch_emails boolean not null default false',
    // Batches that exist already get no email. The default is evaluated once, so the table isn't rewritten.
    'alter table batches add ended_at timestamptz default now()',
    'alter table batches alter ended_at drop default',
    'create index batches_not_ended on batches (created_at) where ended_at is null',
  ]),
  down: runAll(['alter table batches drop ended_at', 'alter table users drop batch_emails']),
};
