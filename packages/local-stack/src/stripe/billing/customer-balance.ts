import type { Context } from '../context.ts';

/** Smallest charge in US cents. Stripe adds smaller amounts to the customer's balance. */
const SMALLEST_CHARGE = 50;

/**
 * Returns the amount due of a total and the remaining balance, in cents. A negative balance is credit for the customer,
 * and a negative total becomes credit.
 */
export function splitBalance(total: number, balance = 0): { due: number; balance: number } {
  const due = total + balance;
  if (due < SMALLEST_CHARGE) return { due: 0, balance: due };
  return { due, balance: 0 };
}

/** Changes the balance of a customer by `cents`. */
export function addToBalance({ store, emit }: Context, id: string, cents: number): void {
  const customer = store.get('customers', id);
  if (!customer || cents === 0) return;
  const changed = store.put('customers', { ...customer, balance: (customer.balance ?? 0) + cents });
  emit('customer.updated', changed, { balance: customer.balance });
}
