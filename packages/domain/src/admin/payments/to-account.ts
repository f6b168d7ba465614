import type { BillingAccount } from '@uprez/contracts/schemas/billing/admin-payments';
import type { AccountColumns } from '@uprez/db/queries/billing/admin/account-search';

/** Returns the account in a row. Null if the account was deleted or never existed. */
export function toAccount({ accountId, email, overrideTier: tier, ...row }: AccountColumns): BillingAccount {
  if (accountId === null || email === null) return null;
  const name = [row.firstName, row.lastName].filter(Boolean).join(' ') || null;
  return {
    id: accountId,
    email,
    name,
    override: tier && { tier, until: row.overrideUntil?.toISOString() ?? null },
  };
}
