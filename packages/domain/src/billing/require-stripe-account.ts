import { findInstanceFact } from '@uprez/db/queries/instance/instance';
import type { Needs } from '../context.ts';

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
