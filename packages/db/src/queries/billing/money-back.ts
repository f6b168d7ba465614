import { sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';
import { now } from '../../times.ts';

/** Records that an account uses its money-back guarantee. Returns false if it was used before. */
export async function recordMoneyBack(tx: Tx, accountId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('billingCustomers')
    .set({ moneyBackAt: now })
    .where('accountId', '=', accountId)
    .where('moneyBackAt', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

type CardClaim = { cardDigest: string; callId: string };

/**
 * Claims a card for an open call. Returns false if the card was refunded before, or if another open call has claimed
 * it.
 */
export async function claimMoneyBackCard(tx: Tx, { cardDigest, callId }: CardClaim): Promise<boolean> {
  const claim = await tx
    .insertInto('moneyBackCards')
    .values({ cardDigest, callId })
    .onConflict((conflict) => conflict.column('cardDigest').doUpdateSet({ cardDigest }))
    .returning('callId')
    .executeTakeFirstOrThrow();
  if (claim.callId === callId) return true;
  // Uses a separate statement, because it also sees calls that were stored while the insert was waiting for the row.
  const { numUpdatedRows } = await tx
    .updateTable('moneyBackCards')
    .set({ callId })
    .where('cardDigest', '=', cardDigest)
    .where('refundedAt', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('billingCalls')
            .select('billingCalls.id')
            .whereRef('billingCalls.id', '=', 'moneyBackCards.callId')
            .where('billingCalls.state', '=', 'open'),
        ),
      ),
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Records that a claimed card was refunded. Clears the call, because the record must not identify the account. */
export async function recordMoneyBackCard(tx: Tx, { cardDigest, callId }: CardClaim): Promise<void> {
  await tx
    .updateTable('moneyBackCards')
    .set({ callId: null, refundedAt: now })
    .where('cardDigest', '=', cardDigest)
    .where('callId', '=', callId)
    .execute();
}

/**
 * Name of the fact with the ISO date from which `readUsedPercent` counts. Databases created later don't have this fact.
 */
export const moneyBackRuleFact = 'money_back_rule_since';

type YearlyPayment = { accountId: string; invoiceId: string; paidAt: Date };

/**
 * Returns the percentage of a month's images that an account has used since its first yearly payment, for the meter
 * with the highest percentage. Adds up the percentages of several allowances, such as those before and after an
 * upgrade. Images of jobs that returned their credit don't count. Returns 0 for payments from before this rule, because
 * those buyers were promised a refund regardless of their usage.
 */
export async function readUsedPercent(db: DbOrTx, { accountId, invoiceId, paidAt }: YearlyPayment): Promise<number> {
  const { rows } = await sql<{ percent: number }>`
    select coalesce(max(percent), 0)::float8 as percent from (
      select sum(100.0 * (
        select coalesce(-sum(ledger.units), 0) from ledger
        where ledger.allowance_id = allowances.id and kind in ('reserve', 'release')
      ) / nullif(allowances.units, 0)) as percent
      from allowances
      where account_id = ${accountId} and source = 'plan' and (ref = ${invoiceId} or created_at >= ${paidAt})
        and ${paidAt} >= coalesce(
          (select value::timestamptz from instance where name = ${moneyBackRuleFact}), '-infinity')
      group by meter
    ) as used`.execute(db);
  return rows[0]?.percent ?? 0;
}
