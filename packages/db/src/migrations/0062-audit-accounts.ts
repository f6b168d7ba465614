import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

/**
 * Rows of the audit log name the account that they are about, also indirectly: a refund is about its customer. Without a
 * foreign key, because the account of a row stays when it is deleted. `fillAuditAccounts` fills the existing rows.
 */
export const auditAccounts: Migration = {
  up: runAll(['alter table audits add account_id uuid']),
  down: runAll(['alter table audits drop account_id']),
};
