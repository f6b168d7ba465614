import { ApiError } from '@uprez/client/api-error';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { findFieldError, keepValues, takeValues } from './use-api-form.ts';

beforeEach(() => {
  const entries = new Map<string, string>();
  vi.stubGlobal('window', { location: { pathname: '/account' } });
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => entries.get(name) ?? null,
    setItem: (name: string, value: string) => entries.set(name, value),
    removeItem: (name: string) => entries.delete(name),
  });
});
afterEach(() => void vi.unstubAllGlobals());

const defaults = { name: 'Ada', note: '', password: '', file: undefined };

it('keeps what was changed until the form opens again, without secrets and files', () => {
  keepValues('user-1', defaults, { name: 'Grace', note: '', password: 'six feet under', file: new Blob() });
  expect(takeValues('user-1', defaults)).toEqual({ name: 'Grace' });
  expect(takeValues('user-1', defaults)).toEqual({});
});

it('returns nothing to another user, and nothing to another form', () => {
  keepValues('user-1', defaults, { ...defaults, name: 'Grace' });
  expect(takeValues('user-1', { title: '' })).toEqual({});
  expect(takeValues('user-2', defaults)).toEqual({});
  expect(takeValues('user-1', defaults)).toEqual({});
});

it('works without storage', () => {
  vi.stubGlobal('sessionStorage', undefined);
  keepValues('user-1', defaults, { ...defaults, name: 'Grace' });
  expect(takeValues('user-1', defaults)).toEqual({});
});

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
