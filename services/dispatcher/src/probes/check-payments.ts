import { statusRules } from '@uprez/contracts/policy/status';
import { readInboxLag } from '@uprez/domain/status/probing/probe-facts';
import type { Deps } from '../deps.ts';

type Found = { state: 'up' | 'degraded' | 'unconfigured'; detail: string };

/** Calls the payment provider, and looks for events that wait for too long. Throws if the provider can't be reached. */
export async function checkPayments({ db, config }: Pick<Deps, 'db' | 'config'>): Promise<Found> {
  if (!config.payments) return { state: 'unconfigured', detail: '' };
  // Without keys, Stripe's SDK isn't loaded.
  const { readAccountOnce } = await import('@uprez/domain/billing/ensure-stripe-account');
  await readAccountOnce(config.payments);
  const lagS = await readInboxLag({ db });
  if (lagS <= statusRules.inboxLagS) return { state: 'up', detail: '' };
  return { state: 'degraded', detail: `An event has been waiting for ${Math.round(lagS)} seconds` };
}
