import { expect, it } from 'vitest';
import { listBillLines } from './bill-lines.ts';

const bill = { subtotal: 700, discount: 0, tax: 0, total: 700, due: 700, currency: 'usd' };
const line = { description: '1 month of Pro', amount: 700 };

it('shows one line and what is due', () => {
  expect(listBillLines({ ...bill, lines: [line] })).toEqual([
    { label: '1 month of Pro', amount: '$7' },
    { label: 'Due today', amount: '$7', isTotal: true },
  ]);
});

it('shows unused time, discount, tax, and credit before what is due', () => {
  const lines = [
    { description: 'Unused time on Pro', amount: -350 },
    { description: '1 month of API Basic', amount: 1_900 },
  ];
  const all = { lines, subtotal: 1_550, discount: 155, tax: 140, total: 1_535, due: 1_500, currency: 'usd' };
  expect(listBillLines(all).map(({ label, amount }) => `${label}: ${amount}`)).toEqual([
    'Unused time on Pro: -$3.50',
    '1 month of API Basic: $19',
    'Subtotal: $15.50',
    'Discount: -$1.55',
    'Tax: $1.40',
    'Account credit: -$0.35',
    'Due today: $15',
  ]);
});
