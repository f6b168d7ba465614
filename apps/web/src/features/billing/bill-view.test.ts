import type { Bill } from '@uprez/contracts/schemas/billing/billing';
import { expect, it } from 'vitest';
import { listBillLines } from './bill-view.tsx';

const bill = { subtotal: 700, discount: 0, tax: 0, total: 700, due: 700, currency: 'usd' };
const period = { from: '2026-11-05T12:00:00.000Z', until: '2026-12-05T12:00:00.000Z' };
const line = { kind: 'period', tier: 'pro', ...period, amount: 700 } as const;

it('shows one line and what is due', () => {
  expect(listBillLines({ ...bill, lines: [line] })).toEqual([
    { label: 'Pro plan, Nov 5, 2026 to Dec 5, 2026', amount: '$7.00' },
    { label: 'Due today', amount: '$7.00', isTotal: true },
  ]);
});

it('shows unused time, discount, tax, and credit before what is due', () => {
  const lines = [
    { kind: 'unused_time', tier: 'pro', ...period, amount: -350 },
    { kind: 'period', tier: 'api_basic', ...period, amount: 1_900 },
    { kind: 'other', description: 'Setup', amount: 0 },
  ] as Bill['lines'];
  const all = { lines, subtotal: 1_550, discount: 155, tax: 140, total: 1_535, due: 1_500, currency: 'usd' };
  expect(listBillLines(all).map(({ label, amount }) => `${label}: ${amount}`)).toEqual([
    'Unused time on Pro, Nov 5, 2026 to Dec 5, 2026: -$3.50',
    'API Basic plan, Nov 5, 2026 to Dec 5, 2026: $19.00',
    'Setup: $0.00',
    'Subtotal: $15.50',
    'Discount: -$1.55',
    'Tax: $1.40',
    'Account credit: -$0.35',
    'Due today: $15.00',
  ]);
});
