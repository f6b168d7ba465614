import { expect, it } from 'vitest';
import { describePaymentMethods } from './payment-methods.tsx';

const describe = (...paymentMethods: string[]) => describePaymentMethods([{ paymentMethods: [] }, { paymentMethods }]);

it('lists the payment methods that are on, cards first', () => {
  expect(describe('card')).toBe('Pay with cards.');
  expect(describe('card', 'paypal')).toBe('Pay with cards or PayPal.');
  expect(describe('apple_pay', 'card', 'link', 'paypal')).toBe('Pay with cards, PayPal, Apple Pay, or Link.');
});

it('says nothing before the first sync, and leaves out methods that it has no name for', () => {
  expect(describe()).toBeUndefined();
  expect(describe('other_method')).toBeUndefined();
  expect(describe('card', 'other_method')).toBe('Pay with cards.');
});
