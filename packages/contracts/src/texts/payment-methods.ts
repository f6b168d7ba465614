const names: Record<string, string> = {
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

/** The name of a card's brand or of another payment method at Stripe: `Visa`, `PayPal`. Unknown ones are returned as they are. */
export const formatMethod = (method: string): string =>
  (Object.hasOwn(names, method) ? names[method] : undefined) ?? method;

/** A card in a table: `Visa •••• 4242`. */
export const formatCard = ({ brand, last4 }: { brand: string; last4: string }): string =>
  `${formatMethod(brand)} •••• ${last4}`;
