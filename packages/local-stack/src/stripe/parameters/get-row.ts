import type { Context } from '../context.ts';
import type { TableName, Tables } from '../state/tables.ts';
import { missingResourceError } from '../stripe-error.ts';

/** Object names in Stripe's error messages, for tables where this isn't the table's singular name. */
const kinds: Partial<Record<TableName, string>> = {
  checkoutSessions: 'checkout.session',
  promotionCodes: 'promotion code',
  setupIntents: 'setupintent',
  subscriptionSchedules: 'subscription schedule',
  testClocks: 'test clock',
  webhookEndpoints: 'webhook endpoint',
};

/** Returns a stored object. Throws Stripe's error if it doesn't exist. `param` is the parameter that holds the ID. */
export function getRow<T extends TableName>(
  { store }: Context,
  table: T,
  { id, param }: { id: string; param?: string },
): Tables[T] {
  const row = store.get(table, id);
  if (!row) throw missingResourceError(kinds[table] ?? table.slice(0, -1), { id, ...(param && { param }) });
  return row;
}
