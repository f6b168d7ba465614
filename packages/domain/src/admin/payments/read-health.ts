import type { PaymentHealth } from '@uprez/contracts/schemas/billing/admin-payments';
import {
  countInbox,
  findLatestCheck,
  listDoubledAccounts,
  listFailingCustomers,
} from '@uprez/db/queries/billing/admin/payment-health';
import { findInstanceFact } from '@uprez/db/queries/instance/instance';
import { accountFact } from '../../billing/ensure-stripe-account.ts';
import type { Needs } from '../../context.ts';
import { toAccount } from './to-account.ts';

/** Returns the health of billing without requests to Stripe. */
export async function readPaymentHealth({ db }: Needs<'db'>): Promise<Omit<PaymentHealth, 'isConfigured'>> {
  const { oldestPendingAt, ...counts } = await countInbox(db);
  const failing = await listFailingCustomers(db);
  const check = await findLatestCheck(db);
  const doubled = await listDoubledAccounts(db);
  return {
    account: parseAccount(await findInstanceFact(db, accountFact)),
    ...counts,
    oldestPendingAt: oldestPendingAt?.toISOString() ?? null,
    drift: check ? { checked: check.checked, found: check.found, at: check.finishedAt.toISOString() } : null,
    failing: failing.map((row) => ({
      customerId: row.customerId,
      account: toAccount(row),
      failures: row.failures,
      error: row.error,
      retryAt: row.notBefore.toISOString(),
    })),
    doubled: doubled.map((row) => ({ account: toAccount(row), subscriptionIds: row.subscriptionIds })),
  };
}

/** Parses a stored account, such as `acct_1 (test mode)`. */
function parseAccount(fact: string | undefined): PaymentHealth['account'] {
  const [, id, mode] = /^(\S+) \((test|live) mode\)$/.exec(fact ?? '') ?? [];
  return id && (mode === 'test' || mode === 'live') ? { id, mode } : null;
}
