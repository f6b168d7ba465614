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
