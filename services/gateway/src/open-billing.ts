import { AppError } from '@uprez/contracts/errors/app-error';
import { requireStripeAccount } from '@uprez/domain/billing/ensure-stripe-account';
import type { Needs } from '@uprez/domain/context';
import type { Payments } from '@uprez/payments/open-payments';
import { repeat } from '@uprez/runtime/repeat';
import type { Config } from './config.ts';

type Billing = { payments: Payments; verbs: typeof import('./features/billing/billing-verbs.ts').billingVerbs };

/**
 * Connects to Stripe on the first request that needs it, and tries again on the next request after an error. Gateways
 * without Stripe keys never load the SDK.
 */
export function openBilling({ payments: options }: Pick<Config, 'payments'>) {
  let opening: Promise<Billing> | undefined;
  const open = async (config: NonNullable<typeof options>): Promise<Billing> => {
    const [{ billingVerbs: verbs }, { openPayments }] = await Promise.all([
      import('./features/billing/billing-verbs.ts'),
      import('@uprez/payments/open-payments'),
    ]);
    return { verbs, payments: openPayments(config) };
  };
  return {
    /** Throws `billing_not_configured` if the gateway has no Stripe keys. */
    get: async (): Promise<Billing> => {
      if (!options) throw new AppError('billing_not_configured');
      opening ??= open(options).catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
      return await opening;
    },
    close: async () => (await opening)?.payments.close(),
  };
}

const readEveryMs = 60_000;

type AccountCheckNeeds = Needs<'db' | 'log'> & { config: Pick<Config, 'payments'> };
type AccountCheck = { checks: Record<string, () => Promise<void>>; close: () => Promise<void> };

/**
 * Checks that the Stripe keys belong to the same account as the database. Until the keys' account has been read, the
 * check passes, because everything except purchases works without Stripe. Without keys, returns no checks.
 */
export function openAccountCheck({ db, log, config: { payments } }: AccountCheckNeeds): AccountCheck {
  if (!payments) return { checks: {}, close: async () => {} };
  let account: string | undefined;
  const readAccount = async () => {
    // Gateways without Stripe keys don't need the SDK.
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
