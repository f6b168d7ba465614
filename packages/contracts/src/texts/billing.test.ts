import { expect, it } from 'vitest';
import { formatCard, formatMethod } from './billing.ts';

it('names payment methods, and returns unknown ones as they are', () => {
  expect(['visa', 'amex', 'paypal', 'sepa_debit', 'toString'].map(formatMethod)).toEqual([
    'Visa',
    'American Express',
    'PayPal',
    'sepa_debit',
    'toString',
  ]);
});

it('shows a card with its last digits', () => {
  expect(formatCard({ brand: 'visa', last4: '4242' })).toBe('Visa •••• 4242');
});
