import { AppError } from '@uprez/contracts/errors/app-error';
import {
  listDetachedCustomers,
  listOutdatedEmails,
  markCustomerDeleted,
} from '@uprez/db/queries/billing/billing-customers';
import { deleteCustomer } from '@uprez/payments/customers';
import type { Needs } from '../context.ts';
import type { CallContext, CallKind } from './calls/call-kind.ts';
import { makeFinisher } from './calls/finish-next-call.ts';
import { openCall } from './calls/run-call.ts';
import { customerSteps } from './purchases/customer-steps.ts';

const batchSize = 100;

const emailChangeKind: CallKind<{ email: string }> = {
  name: 'email',
  slot: 'email',
  expiresS: 3_600,
  steps: customerSteps,
};

export const finishEmailChange = makeFinisher(emailChangeKind);

/**
 * Updates the email addresses of customers at Stripe after accounts changed theirs, because Stripe emails bills to
 * them. Returns how many were updated. Safe to repeat.
 */
export async function syncCustomerEmails(ctx: CallContext): Promise<number> {
  let count = 0;
  for (const { accountId, email } of await listOutdatedEmails(ctx.db, batchSize)) {
    const row = await openCall(ctx, emailChangeKind, { accountId, request: { email } });
    if (!row) continue;
    try {
      await finishEmailChange(ctx, row);
      count += 1;
    } catch (error) {
      // The call has logged the error, and stays open if a retry can succeed.
      if (!(error instanceof AppError)) throw error;
    }
  }
  return count;
}

/**
 * Deletes the Stripe customers of deleted accounts, which cancels their subscriptions immediately. Returns how many
 * were deleted. Safe to repeat and to run in several processes, because deleting a deleted customer does nothing.
 */
export async function deleteOrphanedCustomers({
  db,
  payments,
  log,
}: Needs<'db' | 'payments' | 'log'>): Promise<number> {
  let count = 0;
  for (const customerId of await listDetachedCustomers(db, batchSize))
    try {
      await deleteCustomer(payments, customerId);
      await markCustomerDeleted(db, customerId);
      count += 1;
    } catch (error) {
      // One failure must not keep other customers from being deleted.
      log.warn({ err: error, customerId }, 'deleting a customer failed, will retry');
    }
  return count;
}
