/**
 * Names of billing calls in a user's history, by kind. A call can be made by a user or an administrator, or result from
 * a failed payment.
 */
export const billingCallNames = {
  upgrade: 'Upgraded the plan',
  downgrade: 'Scheduled a downgrade',
  restart: 'Resumed the plan',
  clear_pause: 'Ended a pause',
  pause: 'Paused the plan',
  cancel: 'Scheduled a cancellation for the end of the period',
  keep: 'Undid a cancellation',
  undo: 'Undid a plan change',
  end_lapsed: 'Plan ended after an unpaid bill',
  end_unpaid: 'Canceled the plan while its bill was unpaid',
  money_back: 'Used the money-back guarantee',
  pay: 'Paid an open bill',
  card: 'Changed the payment method',
} as const;
export type BillingCallName = keyof typeof billingCallNames;

export const historyTitles = {
  joined: 'Account created',
  payment: {
    succeeded: 'Paid',
    pending: 'Payment pending',
    incomplete: 'Payment not completed',
    failed: 'Payment failed',
    canceled: 'Payment canceled',
  },
  refund: {
    succeeded: 'Refunded',
    pending: 'Refund pending',
    requires_action: 'Refund pending',
    failed: 'Refund failed',
    canceled: 'Refund canceled',
  },
  dispute: { open: 'Payment disputed', won: 'Dispute won', lost: 'Dispute lost' },
  subscribed: 'Subscribed to',
  ended: 'Subscription ended:',
  coupon: { reserved: 'Entered coupon', redeemed: 'Redeemed coupon', released: "Didn't use coupon" },
  ticket: 'Wrote to support:',
} as const;
