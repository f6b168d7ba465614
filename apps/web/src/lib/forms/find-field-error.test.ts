import { ApiError } from '@uprez/client/api-error';
import { expect, it } from 'vitest';
import { findFieldError } from './find-field-error.ts';

it('returns the field of the parameter that the error names', () => {
  expect(findFieldError(new ApiError({ status: 422, code: 'invalid_parameter', param: 'email' }, 'No.'))).toEqual({
    field: 'email',
    message: 'No.',
  });
});

it('returns the field of a list for an error of one of its elements', () => {
  const error = new ApiError({ status: 422, code: 'invalid_parameter', param: 'addresses/1' }, 'No.');
  expect(findFieldError(error)).toEqual({ field: 'addresses', message: 'No.' });
});

it('returns the field of an error code without a parameter', () => {
  expect(findFieldError(new ApiError({ status: 409, code: 'email_taken' }, 'Taken.'))).toEqual({
    field: 'email',
    message: 'Taken.',
  });
});

it.each(['bad_credentials', 'too_many_attempts'])('shows %s at the password', (code) => {
  expect(findFieldError(new ApiError({ status: 401, code }, 'Wrong.'))).toEqual({
    field: 'password',
    message: 'Wrong.',
  });
});

it('returns undefined for other errors', () => {
  expect(findFieldError(new ApiError({ status: 403, code: 'account_suspended' }, 'No.'))).toBeUndefined();
  expect(findFieldError(new TypeError('network'))).toBeUndefined();
});
