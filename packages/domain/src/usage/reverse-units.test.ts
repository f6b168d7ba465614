import { expect, it } from 'vitest';
import { splitUnits } from './reverse-units.ts';

const refund = (id: string, amount: number, ref = 'in_1') =>
  ({ id, kind: 'refund', ref, amount, paid: 700, currency: 'usd' }) as const;
const share = (...amounts: number[]) =>
  splitUnits(
    { ref: 'in_1', units: 100 },
    amounts.map((amount, number) => refund(`re_${number}`, amount)),
  ).map(([, units]) => units);

it('divides units in proportion to the amounts', () => {
  expect(share(350)).toEqual([50]);
  expect(share(700)).toEqual([100]);
  expect(share(1)).toEqual([0]);
});

it('takes all units with the last of several refunds', () => {
  for (const amounts of [
    [233, 233, 234],
    [100, 100, 100, 100, 100, 100, 100],
    [1, 699],
  ])
    expect(share(...amounts).reduce((sum, units) => sum + units, 0)).toBe(100);
});

it('takes no more than all units when more than the invoice went back', () => {
  expect(share(700, 700)).toEqual([100, 0]);
});

it('ignores money of other invoices', () => {
  expect(splitUnits({ ref: 'in_1', units: 100 }, [refund('re_1', 700, 'in_2')])).toEqual([]);
});
