import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

/** Whether the owner of an account gets emails about reached shares of the quota. */
export const quotaEmails: Migration = {
  up: runAll(['alter table users add quota_emails boolean not null default true']),
  down: runAll(['alter table users drop quota_emails']),
};
