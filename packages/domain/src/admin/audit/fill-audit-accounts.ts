import type { Tx } from '@uprez/db/database';
import {
  type AuditPosition,
  fillAccounts,
  listAuditsAfter,
  type UnfilledAudit,
} from '@uprez/db/queries/audit/audit-log';
import { listSubjectAccounts, parseSubject } from '@uprez/db/queries/audit/audit-subjects';
import { lockInstanceFact, setInstanceFact } from '@uprez/db/queries/instance/instance';
import type { Needs } from '../../context.ts';

const progressName = 'audit_accounts_filled';

/** Keeps transactions short. */
const batchSize = 500;

/** Limits a run to a few seconds, because a dispatcher waits for it before shutting down. */
const maxBatches = 20;

/** Newer rows wait, because transactions that began earlier may still add rows before them. */
const minAgeS = 300;

/**
 * Fills in the account for audit log rows that earlier versions of the services wrote, including rows that they write
 * while this version is being rolled out. Processes each row once. If a row's subject was deleted, the row gets no
 * account. Stops after `batches` transactions, and the next run continues from there. Returns the number of rows that
 * got an account. Safe to repeat.
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
  const rows = await listAuditsAfter(tx, { after: await findProgress(tx), ageS: minAgeS, limit: batchSize });
  const last = rows.at(-1);
  if (!last) return { looked: 0, filled: 0 };
  const missing = await resolveAccounts(
    tx,
    rows.filter(({ accountId }) => accountId === null),
  );
  if (missing.length > 0) await fillAccounts(tx, missing);
  await setInstanceFact(tx, progressName, `${last.id} ${last.at}`);
  return { looked: rows.length, filled: missing.length };
}

/** The lock keeps a run with an expired lease from moving the progress back. */
async function findProgress(tx: Tx): Promise<AuditPosition | undefined> {
  const [, id, at] = /^(\S+) (.+)$/.exec(await lockInstanceFact(tx, progressName)) ?? [];
  return id && at ? { id, at } : undefined;
}

async function resolveAccounts(tx: Tx, rows: readonly UnfilledAudit[]): Promise<{ id: string; accountId: string }[]> {
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
