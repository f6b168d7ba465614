export const transactionBadges = ['succeeded', 'pending', 'incomplete', 'failed', 'canceled'] as const;
export type TransactionBadge = (typeof transactionBadges)[number];

export const stripeEventStates = ['pending', 'done', 'ignored'] as const;

export const subscriptionSorts = ['-created', 'created', '-renewal', 'renewal', '-amount', 'amount'] as const;
export type SubscriptionSort = (typeof subscriptionSorts)[number];
export const transactionSorts = ['-created', 'created', '-amount', 'amount'] as const;
export type TransactionSort = (typeof transactionSorts)[number];
export const stripeEventSorts = ['-received', 'received'] as const;
export type StripeEventSort = (typeof stripeEventSorts)[number];

export const cancelTimes = ['period_end', 'now'] as const;

/** `sent`: a checkout link was sent. */
export const leadStates = ['open', 'sent'] as const;
export type LeadState = (typeof leadStates)[number];

export const leadSorts = ['-created', 'created'] as const;
export type LeadSort = (typeof leadSorts)[number];
