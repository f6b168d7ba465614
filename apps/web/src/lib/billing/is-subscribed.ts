import type { Billing } from '@uprez/contracts/schemas/billing/billing';

/**
 * Whether an account has a subscription that can be changed. A subscription that was never paid, or has ended, can't.
 */
export const isSubscribed = ({ subscription }: Pick<Billing, 'subscription'>): boolean =>
  subscription?.badge === 'active' || subscription?.badge === 'past_due';
