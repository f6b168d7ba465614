import { requireStripeAccount } from '@uprez/domain/billing/require-stripe-account';
import type { Needs } from '@uprez/domain/context';
import { repeat } from '@uprez/runtime/repeat';
import type { Config } from './config.ts';

const readEveryMs = 60_000;

type AccountCheckNeeds = Needs<'db' | 'log'> & { config: Pick<Config, 'payments'> };
type AccountCheck = { checks: Record<string, () => Promise<void>>; close: () => Promise<void> };

/**
 * Compares the account of Stripe's keys with the one that the database belongs to. The check passes until the account is
 * known, because everything except buying works without Stripe. Without keys, there are no checks.
 */
export function openAccountCheck({ db, log, config: { payments } }: AccountCheckNeeds): AccountCheck {
  if (!payments) return { checks: {}, close: async () => {} };
  let account: string | undefined;
  const readAccount = async () => {
    // Gateways without Stripe's keys don't load its SDK.
    const { readAccountOnce } = await import('@uprez/domain/billing/ensure-stripe-account');
    account = await readAccountOnce(payments);
  };
  const reading = repeat(
    readEveryMs,
    async () => {
      if (account === undefined) await readAccount();
    },
    (error) => log.warn({ err: error }, 'Stripe account not read'),
  );
  return {
    checks: {
      stripe: async () => {
        if (account !== undefined) await requireStripeAccount({ db }, account);
      },
    },
    close: reading.close,
  };
}
