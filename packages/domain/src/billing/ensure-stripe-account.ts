import { ensureInstanceFact } from '@uprez/db/queries/instance/instance';
import type { Needs } from '../context.ts';
import { readStripeAccount } from './read-stripe-account.ts';
import { accountFact, requireStripeAccount } from './require-stripe-account.ts';

/** Returns the account of the keys. The first call stores it. Throws when the database belongs to another one. */
export async function ensureStripeAccount({ db, payments }: Needs<'db' | 'payments'>): Promise<string> {
  const account = await readStripeAccount(payments);
  await ensureInstanceFact(db, accountFact, account);
  await requireStripeAccount({ db }, account);
  return account;
}
