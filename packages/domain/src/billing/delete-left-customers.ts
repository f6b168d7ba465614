import { listLeftCustomers, markCustomerDeleted } from '@uprez/db/queries/billing/billing-customers';
import { deleteCustomer } from '@uprez/payments/customers';
import type { Needs } from '../context.ts';

const batchSize = 100;

/**
 * Deletes the customers of deleted accounts at Stripe, which cancels their subscriptions at once. Returns how many. Safe to
 * repeat and to run in several processes: deleting a deleted customer does nothing.
 */
export async function deleteLeftCustomers({ db, payments, log }: Needs<'db' | 'payments' | 'log'>): Promise<number> {
  let count = 0;
  for (const customerId of await listLeftCustomers(db, batchSize))
    try {
      await deleteCustomer(payments, customerId);
      await markCustomerDeleted(db, customerId);
      count += 1;
    } catch (error) {
      // Other customers must be deleted, too.
      log.warn({ err: error, customerId }, 'deleting a customer failed, will retry');
    }
  return count;
}
