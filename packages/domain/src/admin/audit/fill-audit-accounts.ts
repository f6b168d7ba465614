import type { Tx } from '@uprez/db/database';
import { type AuditPlace, fillAccounts, listAuditsAfter, type UnfilledAudit } from '@uprez/db/queries/audit/audit-log';
import { listSubjectAccounts, parseSubject } from '@uprez/db/queries/audit/audit-subjects';
import { lockInstanceFact, setInstanceFact } from '@uprez/db/queries/instance/instance';
import type { Needs } from '../../context.ts';

/** The stored name of the last row that was looked at. */
const progressName = 'audit_accounts_filled';

/** Rows of a transaction: few enough that it ends within a moment. */
const batchSize = 500;

/** Transactions of a run: few enough that a dispatcher that shuts down waits a few seconds for it at most. */
const maxBatches = 20;

/** Transactions that began before may still add rows, seconds. */
const openS = 300;

/**
 * Fills in the account of rows of the audit log that services of earlier versions wrote, also while this version is
 * installed. Each row is looked at once. A subject that was deleted has no account. The next run
 * continues after `batches` transactions. Returns how many rows got an account. Safe to repeat.
 */
export async function fillAuditAccounts({ db }: Needs<'db'>, batches = maxBatches): Promise<number> {
  let filled = 0;
  for (let left = batches; left > 0; left -= 1) {
    const batch = await db.transaction().execute(fillBatch);
    filled += batch.filled;
    if (batch.looked < batchSize) break;
  }
  return filled;
}

async function fillBatch(tx: Tx): Promise<{ looked: number; filled: number }> {
  const rows = await listAuditsAfter(tx, { after: await findProgress(tx), ageS: openS, limit: batchSize });
  const last = rows.at(-1);
  if (!last) return { looked: 0, filled: 0 };
  const missing = await withAccounts(
    tx,
    rows.filter(({ accountId }) => accountId === null),
  );
  if (missing.length > 0) await fillAccounts(tx, missing);
  await setInstanceFact(tx, progressName, `${last.id} ${last.at}`);
  return { looked: rows.length, filled: missing.length };
}

/** Locked, so that a run whose lease expired doesn't move it back. */
async function findProgress(tx: Tx): Promise<AuditPlace | undefined> {
  const [, id, at] = /^(\S+) (.+)$/.exec(await lockInstanceFact(tx, progressName)) ?? [];
  return id && at ? { id, at } : undefined;
}

/** The rows whose subject belongs to an account, with its ID. */
async function withAccounts(tx: Tx, rows: readonly UnfilledAudit[]): Promise<{ id: string; accountId: string }[]> {
  const idsByKind = new Map<string, Set<string>>();
  for (const { subject } of rows) {
    const { kind, id } = parseSubject(subject);
    if (id !== null) idsByKind.set(kind, (idsByKind.get(kind) ?? new Set()).add(id));
  }
  const accounts = new Map<string, string>();
  for (const [kind, ids] of idsByKind)
    for (const [subject, accountId] of await listSubjectAccounts(tx, kind, [...ids])) accounts.set(subject, accountId);
  return rows.flatMap(({ id, subject }) => {
    const accountId = accounts.get(subject);
    return accountId === undefined ? [] : [{ id, accountId }];
  });
}
