import type { CancelFeedback } from '../policy/billing/billing.ts';
import type { CouponTerms } from '../schemas/billing/coupons.ts';
import type { LedgerEntry } from '../schemas/jobs/metering.ts';
import { formatMoney, pluralize } from './format.ts';

/** Reasons to cancel a plan, as shown to customers. */
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

/**
 * Returns the text of a cancellation reason. Stripe can return values that aren't offered here, which stay unchanged.
 */
const feedbackText = (feedback: string): string =>
  Object.hasOwn(cancelFeedbackTexts, feedback) ? cancelFeedbackTexts[feedback as CancelFeedback] : feedback;

/**
 * Describes why a customer canceled, with one line per answer: `Reason: It's too expensive`, `Comment: ...`. Empty
 * without an answer.
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

/** Names of ledger entry kinds on screens and in exports. */
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
 * Returns the name of a card brand or another payment method at Stripe: `Visa`, `PayPal`. Returns unknown ones
 * unchanged.
 */
export const formatMethod = (method: string): string =>
  (Object.hasOwn(methodNames, method) ? methodNames[method] : undefined) ?? method;

/** Formats a card for a table: `Visa •••• 4242`. */
export const formatCard = ({ brand, last4 }: { brand: string; last4: string }): string =>
  `${formatMethod(brand)} •••• ${last4}`;
