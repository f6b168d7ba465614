import { ensureInstanceFact } from '@uprez/db/queries/instance/instance';
import { getStripeAccount } from '@uprez/payments/stripe-account';
import type { Needs } from '../context.ts';

/**
 * Returns the account of the keys, as `acct_1 (test mode)`. The first call stores it. Throws when the database belongs to
 * another account or mode, because its IDs don't exist there.
 */
export async function ensureStripeAccount({ db, payments }: Needs<'db' | 'payments'>): Promise<string> {
  const { id, mode } = await getStripeAccount(payments);
  const account = `${id} (${mode} mode)`;
  const known = await ensureInstanceFact(db, 'stripe_account', account);
  if (known !== account)
    throw new Error(
      `The database belongs to the Stripe account ${known}, but the keys to ${account}. Use the keys of that account, or another database.`,
    );
  return account;
}
