export const billingIntervals = ['month', 'year'] as const;

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
   * Hours after which an incomplete purchase expires. Stripe has the same limit for incomplete subscriptions.
   */
  purchaseHours: 23,
  /** Days on which payment of an unpaid bill is retried, counted from the first failed attempt. */
  retryDays: [1, 3, 5],
  unpaidDays: 7,
  /** Number of days before a yearly plan's renewal when its owner is emailed. */
  renewalNoticeDays: 14,
  /**
   * Money-back guarantee: number of days after an account's first yearly payment in which canceling refunds the payment
   * in full. Available once per account.
   */
  moneyBackDays: 30,
  /** Maximum usage for the money-back guarantee, as a percentage of a month's images. */
  moneyBackUsedPercent: 50,
} as const;
