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

/** Continues the change of an email address at Stripe. */
export const finishEmailChange = makeFinisher(emailChangeKind);

/**
 * Updates the changed email addresses of accounts at Stripe, because Stripe sends bills to them. Returns how many were
 * updated. Safe to repeat.
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
      // The call logged the error, and stays open if it can succeed later.
      if (!(error instanceof AppError)) throw error;
    }
  }
  return count;
}

/**
 * Deletes the customers of deleted accounts at Stripe, which cancels their subscriptions immediately. Returns how many
 * were deleted. Safe to repeat and to run in several processes: deleting a deleted customer does nothing.
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
