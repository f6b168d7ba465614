import { expect, it } from 'vitest';
import { formatMoney } from './money.ts';

it('shows cents of amounts that have them', () => {
  const format = (amount: number) => formatMoney({ amount, currency: 'usd' });
  expect([700, 750, 5, 0, -320, 123_456_00].map(format)).toEqual(['$7', '$7.50', '$0.05', '$0', '-$3.20', '$123,456']);
});
