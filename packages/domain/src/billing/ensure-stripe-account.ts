import { forgetStripeObjects } from '@uprez/db/queries/billing/stripe-checks';
import { ensureInstanceFact } from '@uprez/db/queries/instance/instance';
import type { Needs } from '../context.ts';
import { methodsFact } from './payment-methods.ts';
import { catalogFact } from './read-catalog.ts';
import { readStripeAccount } from './read-stripe-account.ts';
import { accountFact, requireStripeAccount } from './require-stripe-account.ts';

/**
 * Returns the account of the keys. The first call stores it. A database without customers moves to the account of other keys,
 * for example from the double to real ones. Throws when it belongs to another account and has customers.
 */
export async function ensureStripeAccount({ db, payments }: Needs<'db' | 'payments'>): Promise<string> {
  const account = await readStripeAccount(payments);
  const known = await ensureInstanceFact(db, accountFact, account);
  if (known !== account) {
    const facts = { accountFact, account, formerFacts: [catalogFact, methodsFact] };
    await db.transaction().execute((tx) => forgetStripeObjects(tx, facts));
  }
  await requireStripeAccount({ db }, account);
  return account;
}
