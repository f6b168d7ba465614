import { expect, it } from 'vitest';
import { redactCardNumbers } from './redact-card-numbers.ts';

it.each([
  ['4242424242424242', '[card number removed]'],
  ['Card 4242 4242 4242 4242 was charged twice', 'Card [card number removed] was charged twice'],
  ['3782-822463-10005, twice', '[card number removed], twice'],
  ['4242 4242 4242 4242 12/30', '[card number removed]/30'],
  ['Call +1 202 555 0147', 'Call +1 202 555 0147'],
  ['12 images of 4000 x 3000 pixels', '12 images of 4000 x 3000 pixels'],
  ['1111111111111', '1111111111111'],
])('changes %j to %j', (text, expected) => {
  expect(redactCardNumbers(text)).toBe(expected);
});
