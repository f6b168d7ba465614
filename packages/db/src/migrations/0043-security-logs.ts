import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

/**
 * Deleted API keys, which the access log names and which have no secret, when scheduled tasks last succeeded, and the audit
 * rows of calls to Stripe.
 */
export const securityLogs: Migration = {
  up: runAll([
    `alter table api_keys
      alter secret_hash drop not null,
      add deleted_at timestamptz,
      add constraint api_keys_secret_check check ((secret_hash is null) = (deleted_at is not null))`,
    'create index api_keys_deleted on api_keys (deleted_at) where deleted_at is not null',
    'alter table scheduled_tasks add last_succeeded_at timestamptz',
    'update scheduled_tasks set last_succeeded_at = last_finished_at where last_error is null',
    // Without a foreign key: rows of the audit log are never deleted.
    'alter table billing_calls add audit_id uuid',
  ]),
  down: runAll([
    'alter table billing_calls drop audit_id',
    'alter table scheduled_tasks drop last_succeeded_at',
    'delete from api_keys where deleted_at is not null',
    `alter table api_keys
      drop constraint api_keys_secret_check,
      drop deleted_at,
      alter secret_hash set not null`,
  ]),
};
