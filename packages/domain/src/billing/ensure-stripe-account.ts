import { forgetStripeObjects } from '@uprez/db/queries/billing/stripe-checks';
import { ensureInstanceFact, findInstanceFact } from '@uprez/db/queries/instance/instance';
import { openPayments, type Payments, type PaymentsOptions } from '@uprez/payments/open-payments';
import { getStripeAccount } from '@uprez/payments/stripe-account';
import type { Needs } from '../context.ts';
import { catalogFact } from './catalog.ts';
import { methodsFact } from './payment-methods.ts';

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

/** Returns the account of the keys, as `acct_1 (test mode)`. Throws PaymentError. */
export async function readStripeAccount(payments: Payments): Promise<string> {
  const { id, mode } = await getStripeAccount(payments);
  return `${id} (${mode} mode)`;
}

/** The same with a connection of its own, which waits for Stripe up to 10 s. */
export async function readAccountOnce(options: PaymentsOptions): Promise<string> {
  const payments = openPayments({ ...options, timeoutMs: 4_000 });
  try {
    return await readStripeAccount(payments);
  } finally {
    payments.close();
  }
}

/** Name of the fact of the installation. */
export const accountFact = 'stripe_account';

/** Throws when the database belongs to another account or mode than the keys, because its IDs don't exist there. */
export async function requireStripeAccount({ db }: Needs<'db'>, account: string): Promise<void> {
  const known = await findInstanceFact(db, accountFact);
  if (known !== undefined && known !== account)
    throw new Error(
      `The database belongs to the Stripe account ${known}, but the keys to ${account}. Use the keys of that account, or another database.`,
    );
}
