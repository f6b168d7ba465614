import { expect, it } from 'vitest';
import { formatChargeableMessage } from './app-error.ts';
import { type ErrorCode, errorCodes } from './error-codes.ts';

const assurance = " You weren't charged.";

it('appends the assurance once to errors that are never charged', () => {
  expect(formatChargeableMessage({ code: 'corrupt_image', message: 'It is cut short.' })).toBe(
    `It is cut short.${assurance}`,
  );
  expect(formatChargeableMessage({ code: 'not_found', message: 'Not found.' })).toBe('Not found.');
});

it('says that a repeated payment is charged once', () => {
  expect(formatChargeableMessage({ code: 'billing_unavailable' })).toBe(
    `${errorCodes.billing_unavailable.title} You won't be charged twice.`,
  );
});

it('uses the title when an error has no message', () => {
  expect(formatChargeableMessage({ code: 'cancelled', message: null })).toBe(
    `${errorCodes.cancelled.title}${assurance}`,
  );
});

it.each(Object.keys(errorCodes) as ErrorCode[])('the title of %s does not mention charges', (code) => {
  expect(errorCodes[code].title).not.toMatch(/charged/i);
});
