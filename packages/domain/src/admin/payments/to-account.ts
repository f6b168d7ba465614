import type { BillingAccount } from '@uprez/contracts/schemas/billing/admin-payments';
import type { AccountColumns } from '@uprez/db/queries/billing/admin/account-search';

/** The account behind a row. Null if it was deleted, or there never was one. */
export function toAccount({ accountId, email, firstName, lastName }: AccountColumns): BillingAccount {
  if (accountId === null || email === null) return null;
  return { id: accountId, email, name: [firstName, lastName].filter(Boolean).join(' ') || null };
}
