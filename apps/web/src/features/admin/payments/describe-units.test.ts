import { expect, it } from 'vitest';
import { describeUnits } from './describe-units.ts';

it('says which images a payment gave, and which were taken back', () => {
  expect(describeUnits([])).toEqual([]);
  expect(describeUnits([{ meter: 'shared', given: 1_000, reversed: 0 }])).toEqual(['Credits added: 1,000 images']);
  const both = [
    { meter: 'ai', given: 100, reversed: 100 },
    { meter: 'standard', given: 1_000, reversed: 1 },
  ] as const;
  expect(describeUnits([...both])).toEqual([
    'Credits added: 100 AI images and 1,000 standard images',
    'Credits removed: 100 AI images and 1 standard image',
  ]);
});
