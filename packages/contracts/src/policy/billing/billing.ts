/** How often a plan is billed. */
export const billingIntervals = ['month', 'year'] as const;

/** States of a subscription, as badges show them. */
export const subscriptionBadges = ['active', 'pending', 'incomplete', 'past_due', 'canceled'] as const;
export type SubscriptionBadge = (typeof subscriptionBadges)[number];
/** Badges by which subscriptions are listed. `live`: active or past due. */
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
  /** How long the amounts of a preview hold, minutes. */
  previewMinutes: 15,
  /** How long a purchase that was begun can be completed, hours. Stripe's limit for incomplete subscriptions. */
  purchaseHours: 23,
  /** Days after the first failed attempt on which an unpaid bill is collected again. */
  retryDays: [1, 3, 5],
  /** Days after which an unpaid plan ends. */
  unpaidDays: 7,
  /** Days before the renewal of a yearly plan on which its owner gets an email. */
  renewalNoticeDays: 14,
  /** Days after an account's first yearly payment during which it is refunded in full, once. */
  moneyBackDays: 30,
  /** Largest share of a month's images that may be used before, percent. */
  moneyBackUsedPercent: 50,
} as const;
