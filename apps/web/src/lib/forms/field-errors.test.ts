import { ApiError } from '@uprez/client/api-error';
import { expect, it } from 'vitest';
import { fieldErrors } from './field-errors.ts';

it('puts an error at the field it names', () => {
  expect(fieldErrors(new ApiError({ status: 422, code: 'invalid_parameter', param: 'email' }, 'No.'))).toEqual({
    email: 'No.',
  });
});

it('puts an error of one of several values at their field', () => {
  const error = new ApiError({ status: 422, code: 'invalid_parameter', param: 'addresses/1' }, 'No.');
  expect(fieldErrors(error)).toEqual({ addresses: 'No.' });
});

it('knows the field of codes that name none', () => {
  expect(fieldErrors(new ApiError({ status: 409, code: 'email_taken' }, 'Taken.'))).toEqual({ email: 'Taken.' });
});

it('leaves the others to the toast', () => {
  expect(fieldErrors(new ApiError({ status: 401, code: 'bad_credentials' }, 'Wrong.'))).toEqual({});
  expect(fieldErrors(new TypeError('network'))).toEqual({});
});
