import { sql } from 'kysely';
import type { Tx } from '../../database.ts';

/** The new account, and the names of facts of the installation: the account, and those that are about the former one. */
type AccountMove = { accountFact: string; account: string; formerFacts: readonly string[] };

/**
 * Moves the database to another account of Stripe, if it has no customers: its prices can't be bought anymore, and its coupons
 * are copied again.
 */
export async function forgetStripeObjects(tx: Tx, { accountFact, account, formerFacts }: AccountMove): Promise<void> {
  // No purchase may start meanwhile: it would insert a customer of the former account.
  await sql`lock table billing_customers, billing_calls in share mode`.execute(tx);
  const { rows } = await sql`
    select where exists (select from billing_customers) or exists (select from billing_calls where state = 'open')`.execute(
    tx,
  );
  if (rows.length > 0) return;
  await tx.updateTable('instance').set({ value: account }).where('name', '=', accountFact).execute();
  await tx.deleteFrom('instance').where('name', 'in', formerFacts).execute();
  await tx.updateTable('prices').set({ active: false }).where('active', '=', true).execute();
  await tx
    .updateTable('coupons')
    .set({ promotionCodeId: null, isActiveAtStripe: false, failures: 0, error: null })
    .where('promotionCodeId', 'is not', null)
    .execute();
}
