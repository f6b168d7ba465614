import { sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';
import { now } from '../../times.ts';

/** Stores that an account uses its money-back guarantee. Returns false if it was used before. */
export async function recordMoneyBack(tx: Tx, accountId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('billingCustomers')
    .set({ moneyBackAt: now })
    .where('accountId', '=', accountId)
    .where('moneyBackAt', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Claims a card for the money-back guarantee of an account. Returns false if another account claimed it before. */
export async function claimMoneyBackCard(
  tx: Tx,
  { accountId, cardDigest }: { accountId: string; cardDigest: string },
): Promise<boolean> {
  const claimed = await tx
    .insertInto('moneyBackCards')
    .values({ accountId, cardDigest })
    .onConflict((conflict) =>
      conflict.column('cardDigest').doUpdateSet({ accountId }).where('moneyBackCards.accountId', '=', accountId),
    )
    .returning('cardDigest')
    .executeTakeFirst();
  return claimed !== undefined;
}

/**
 * The share of a month's images that an account used of those that an invoice pays, in percent: of the meter with the largest
 * share. Images of jobs that returned their credit don't count.
 */
export async function findUsedPercent(
  db: DbOrTx,
  { accountId, invoiceId }: { accountId: string; invoiceId: string },
): Promise<number> {
  const { rows } = await sql<{ percent: number }>`
    select coalesce(max(percent), 0)::float8 as percent from (
      select 100.0 * sum((
        select coalesce(-sum(ledger.units), 0) from ledger
        where ledger.allowance_id = allowances.id and kind in ('reserve', 'release')
      )) / nullif(max(allowances.units), 0) as percent
      from allowances where account_id = ${accountId} and ref = ${invoiceId} group by meter
    ) as used`.execute(db);
  return rows[0]?.percent ?? 0;
}
