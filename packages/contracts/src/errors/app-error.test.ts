import { expect, it } from 'vitest';
import { chargeableMessage } from './app-error.ts';
import { type ErrorCode, errorCodes } from './error-codes.ts';

const assurance = " You weren't charged.";

it('appends the assurance once to errors that are never charged', () => {
  expect(chargeableMessage({ code: 'corrupt_image', message: 'It is cut short.' })).toBe(
    `It is cut short.${assurance}`,
  );
  expect(chargeableMessage({ code: 'not_found', message: 'Not found.' })).toBe('Not found.');
});

it('says that a repeated payment is charged once', () => {
  expect(chargeableMessage({ code: 'billing_unavailable' })).toBe(
    `${errorCodes.billing_unavailable.title} You won't be charged twice.`,
  );
});

it('uses the title when an error has no message', () => {
  expect(chargeableMessage({ code: 'cancelled', message: null })).toBe(`${errorCodes.cancelled.title}${assurance}`);
});

it.each(Object.keys(errorCodes) as ErrorCode[])('the title of %s does not mention charges', (code) => {
  expect(errorCodes[code].title).not.toMatch(/charged/i);
});
