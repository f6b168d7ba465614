import { makePlanCards } from '@uprez/contracts/policy/plans/plan-cards';
import { expect, it } from 'vitest';
import { findOffer, listOffers } from './change-section.tsx';

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

it('offers the plan that is sold by email to those who got a link', () => {
  expect(listOffers(cards, 'month', true).map(({ key }) => key)).toEqual(['pro', 'api_basic', 'enterprise']);
  const found = { priceId: 'enterprise_month', interval: 'month' };
  expect(findOffer(cards, { plan: 'enterprise' }, true)).toEqual(found);
  expect(findOffer(cards, { plan: 'enterprise_month' }, true)).toEqual(found);
});

it('finds a plan by its price, and by its key and interval', () => {
  const find = (plan: string, interval?: 'month' | 'year') => findOffer(cards, { plan, interval });
  expect(find('pro_year')).toEqual({ priceId: 'pro_year', interval: 'year' });
  expect(find('pro')).toEqual({ priceId: 'pro_month', interval: 'month' });
  expect(find('pro', 'year')).toEqual({ priceId: 'pro_year', interval: 'year' });
  expect(find('api_basic', 'year')).toBeUndefined();
  for (const plan of ['enterprise', 'free', 'api_pro', 'price_x']) expect(find(plan)).toBeUndefined();
});
