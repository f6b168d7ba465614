import { sql } from 'kysely';
import type { Tx } from '../../database.ts';

/** A row of the audit log. `at`: its time with microseconds, which a `Date` hasn't. */
export type AuditPlace = { at: string; id: string };
export type UnfilledAudit = AuditPlace & { subject: string; accountId: string | null };

type Choice = { after: AuditPlace | undefined; ageS: number; limit: number };

/** Rows after a known one in the order of time that are older than `ageS` seconds, with or without an account. */
export async function listAuditsAfter(tx: Tx, { after, ageS, limit }: Choice): Promise<UnfilledAudit[]> {
  const { at, id } = after ?? { at: '-infinity', id: '00000000-0000-0000-0000-000000000000' };
  const { rows } = await sql<UnfilledAudit>`
    select created_at::text as at, id, subject, account_id as "accountId" from audits
    where (created_at, id) > (${at}::timestamptz, ${id}::uuid) and created_at < now() - make_interval(secs => ${ageS})
    order by audits.created_at, id limit ${limit}`.execute(tx);
  return rows;
}

/** Sets the accounts of rows that have none. */
export async function fillAccounts(tx: Tx, rows: readonly { id: string; accountId: string }[]): Promise<void> {
  const ids = rows.map(({ id }) => id);
  const accountIds = rows.map(({ accountId }) => accountId);
  await sql`update audits set account_id = filled.account_id
    from unnest(${ids}::uuid[], ${accountIds}::uuid[]) as filled (id, account_id)
    where audits.id = filled.id and audits.account_id is null`.execute(tx);
}
