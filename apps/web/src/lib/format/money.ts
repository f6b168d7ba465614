const locale = 'en-US';

/** An amount in cents: `$7`, `$7.50`, `-$3.20`. Whole amounts have no cents. */
export const formatMoney = ({ amount, currency }: { amount: number; currency: string }): string =>
  new Intl.NumberFormat(locale, { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' }).format(
    amount / 100,
  );
