import { ApiError } from '@uprez/client/api-error';
import { errorCodes } from '@uprez/contracts/errors/error-codes';
import { expect, it } from 'vitest';
import { describeError } from './api-errors.ts';

const errorOf = (code: 'not_signed_in' | 'bad_credentials') =>
  new ApiError({ status: errorCodes[code].status, code }, errorCodes[code].title);

it('returns the sentence of the server', () => {
  expect(describeError(errorOf('bad_credentials'))).toBe('Incorrect email or password.');
});

it('does not show the prefix of an ended session', () => {
  expect(describeError(errorOf('not_signed_in'))).toBe('Your session has ended. Sign in again.');
});
