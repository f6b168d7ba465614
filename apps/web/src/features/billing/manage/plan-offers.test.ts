import { makePlanCards } from '@uprez/contracts/policy/plan-cards';
import { expect, it } from 'vitest';
import { findOffer, listOffers } from './plan-offers.ts';

const price = (tier: 'pro' | 'api_basic' | 'enterprise', interval: 'month' | 'year', amount: number) => ({
  ...{ tier, interval, amount, planVersion: 1 },
  id: `${tier}_${interval}`,
});
const cards = makePlanCards([
  price('pro', 'month', 700),
  price('api_basic', 'month', 1_900),
  price('enterprise', 'month', 14_900),
  price('pro', 'year', 7_000),
]);

it('offers what is sold for an interval, without free plans and those sold by email', () => {
  const labels = (interval: 'month' | 'year') => listOffers(cards, interval).map(({ key, price: said }) => [key, said]);
  expect(labels('month')).toEqual([
    ['pro', '$7 per month'],
    ['api_basic', '$19 per month'],
  ]);
  expect(labels('year')).toEqual([['pro', '$70 per year']]);
});

it('finds a plan by its price, and by its key, which means the monthly price', () => {
  expect(findOffer(cards, 'pro_year')).toEqual({ priceId: 'pro_year', interval: 'year' });
  expect(findOffer(cards, 'pro')).toEqual({ priceId: 'pro_month', interval: 'month' });
  for (const plan of ['enterprise', 'free', 'api_pro', 'price_x']) expect(findOffer(cards, plan)).toBeUndefined();
});
