/** How often a plan is billed. */
export const billingIntervals = ['month', 'year'] as const;

/** Subscription states shown as badges. */
export const subscriptionBadges = ['active', 'pending', 'incomplete', 'past_due', 'canceled'] as const;
export type SubscriptionBadge = (typeof subscriptionBadges)[number];
/** States by which subscriptions can be filtered. `live`: active or past due. */
export const subscriptionStates = ['live', ...subscriptionBadges] as const;
export type SubscriptionState = (typeof subscriptionStates)[number];

export const invoiceStatuses = ['draft', 'open', 'paid', 'uncollectible', 'void'] as const;

/** Months that a monthly plan can be paused for. */
export const pauseMonths = [1, 2, 3] as const;

/** Stripe's list of reasons to cancel. */
export const cancelFeedbacks = [
  'too_expensive',
  'missing_features',
  'switched_service',
  'unused',
  'customer_service',
  'too_complex',
  'low_quality',
  'other',
] as const;
export type CancelFeedback = (typeof cancelFeedbacks)[number];

export const billingRules = {
  /** Minutes for which the amounts of a preview are valid. */
  previewMinutes: 15,
  /**
   * Hours within which a purchase can be completed after it was started. Stripe's limit for incomplete subscriptions.
   */
  purchaseHours: 23,
  /** Days after the first failed attempt on which payment of an unpaid bill is retried. */
  retryDays: [1, 3, 5],
  /** Days after which an unpaid plan ends. */
  unpaidDays: 7,
  /** Days before the renewal of a yearly plan on which its owner gets an email. */
  renewalNoticeDays: 14,
  /** Days after an account's first yearly payment within which canceling refunds it in full, once. */
  moneyBackDays: 30,
  /** Maximum share of a month's images that can have been used for such a refund, percent. */
  moneyBackUsedPercent: 50,
} as const;
