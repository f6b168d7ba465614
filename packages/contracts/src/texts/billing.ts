import type { CancelFeedback } from '../policy/billing/billing.ts';
import type { CouponTerms } from '../schemas/billing/coupons.ts';
import type { LedgerEntry } from '../schemas/jobs/metering.ts';
import { formatMoney, pluralize } from './format.ts';

export const cancelFeedbackTexts: Readonly<Record<CancelFeedback, string>> = {
  too_expensive: "It's too expensive",
  missing_features: "It's missing features I need",
  switched_service: "I'm switching to another service",
  unused: "I don't use it enough",
  customer_service: "Customer service wasn't good enough",
  too_complex: "It's too complicated",
  low_quality: "The results weren't good enough",
  other: 'Other',
};

/** Returns unknown values unchanged, because Stripe offers reasons that aren't offered here. */
const feedbackText = (feedback: string): string =>
  Object.hasOwn(cancelFeedbackTexts, feedback) ? cancelFeedbackTexts[feedback as CancelFeedback] : feedback;

/**
 * Describes why a customer canceled, with one line per answer: `Reason: It's too expensive`, `Comment: ...`. Returns an
 * empty list if the customer gave no reason.
 */
export const describeCancellation = (given: { feedback: string | null; comment: string | null }): string[] => [
  ...(given.feedback ? [`Reason: ${feedbackText(given.feedback)}`] : []),
  ...(given.comment ? [`Comment: ${given.comment}`] : []),
];

type Terms = Pick<CouponTerms, 'discountType' | 'discountValue' | 'duration' | 'durationMonths'>;

/** Describes the discount of a coupon: `20% off for 3 months`. */
export function describeDiscount({ discountType, discountValue, duration, durationMonths }: Terms): string {
  const discount =
    discountType === 'percentage'
      ? `${discountValue}%`
      : formatMoney({ amount: Math.round(discountValue * 100), currency: 'usd' });
  const time = {
    once: 'one bill',
    months: `for ${pluralize(durationMonths ?? 0, 'month')}`,
    forever: 'every bill',
  };
  return `${discount} off ${time[duration]}`;
}

export const ledgerKindNames: Readonly<Record<LedgerEntry['kind'], string>> = {
  grant: 'Added',
  reserve: 'Reserved',
  settle: 'Charged',
  release: 'Refunded',
  expire: 'Expired',
  reverse: 'Removed (payment refunded)',
};

const methodNames: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
  card: 'Card',
  link: 'Link',
  paypal: 'PayPal',
};

/**
 * Returns the display name of a card brand or another of Stripe's payment methods: `Visa`, `PayPal`. Returns unknown
 * names unchanged.
 */
export const formatMethod = (method: string): string =>
  (Object.hasOwn(methodNames, method) ? methodNames[method] : undefined) ?? method;

/** Formats a card for a table: `Visa •••• 4242`. */
export const formatCard = ({ brand, last4 }: { brand: string; last4: string }): string =>
  `${formatMethod(brand)} •••• ${last4}`;
