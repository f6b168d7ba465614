import { forgetStripeObjects } from '@uprez/db/queries/billing/stripe-checks';
import { ensureInstanceFact, findInstanceFact } from '@uprez/db/queries/instance/instance';
import { openPayments, type Payments, type PaymentsOptions } from '@uprez/payments/open-payments';
import { getStripeAccount } from '@uprez/payments/stripe-account';
import type { Needs } from '../context.ts';
import { catalogFact } from './catalog.ts';
import { methodsFact } from './payment-methods.ts';

/**
 * Returns the Stripe account that the API keys belong to, and stores it on the first call. If the keys belong to a new
 * account and the database has no customers, stores the new account. For example, real keys can replace those of the
 * test double. Throws if the database has customers of another account.
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

/** Returns the Stripe account that the API keys belong to, in the form `acct_1 (test mode)`. Throws PaymentError. */
export async function readStripeAccount(payments: Payments): Promise<string> {
  const { id, mode } = await getStripeAccount(payments);
  return `${id} (${mode} mode)`;
}

/** Like `readStripeAccount`, but opens a separate connection and waits up to 10 seconds for Stripe. */
export async function readAccountOnce(options: PaymentsOptions): Promise<string> {
  const payments = openPayments({ ...options, timeoutMs: 4_000 });
  try {
    return await readStripeAccount(payments);
  } finally {
    payments.close();
  }
}

export const accountFact = 'stripe_account';

/**
 * Throws if the database belongs to a different Stripe account or mode than the API keys, because the IDs in the
 * database don't exist in the account of the keys.
 */
export async function requireStripeAccount({ db }: Needs<'db'>, account: string): Promise<void> {
  const known = await findInstanceFact(db, accountFact);
  if (known !== undefined && known !== account)
    throw new Error(
      `The database belongs to the Stripe account ${known}, but the keys to ${account}. Use the keys of that account, or another database.`,
    );
}
