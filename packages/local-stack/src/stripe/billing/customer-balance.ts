import type { Context } from '../context.ts';

/** In cents of a US dollar. Stripe adds smaller amounts to the balance of the customer. */
const SMALLEST_CHARGE = 50;

/**
 * Returns what a customer has to pay of a total, and the balance that is left. Cents. A negative balance is credit of the
 * customer, a negative total becomes credit.
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
