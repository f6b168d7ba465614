import { AppError } from '@uprez/contracts/errors/app-error';
import type { Payments } from '@uprez/payments/open-payments';
import type { Config } from './config.ts';

/** The connection to Stripe, and the verbs that use it. */
type Billing = { payments: Payments; verbs: typeof import('./features/billing/billing-verbs.ts').billingVerbs };

/**
 * Opens the connection to Stripe with the first request that needs it, and after an error with the next one. Gateways
 * without Stripe's keys don't load its SDK.
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
    /** Throws AppError `billing_not_configured` without Stripe's keys. */
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
