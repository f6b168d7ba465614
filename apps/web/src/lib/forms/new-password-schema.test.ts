import { expect, it } from 'vitest';
import { newPasswordSchema } from './new-password-schema.ts';

/** Field and message of each issue. */
const issuesOf = (newPassword: string, confirmPassword: string) =>
  newPasswordSchema(6)
    .safeParse({ newPassword, confirmPassword })
    .error?.issues.map(({ path, message }) => [path[0], message]);

const mismatch = ['confirmPassword', 'Please ensure both password fields match'];
const tooShort = ['newPassword', 'Password must be at least 6 characters long'];

it('reports a short password before a mismatch', () => {
  expect(issuesOf('five!', 'other')).toEqual([tooShort, mismatch]);
});

it('reports a mismatch at the confirmation', () => {
  expect(issuesOf('long enough', 'long enouh')).toEqual([mismatch]);
});

it('accepts a long password that is confirmed', () => {
  expect(issuesOf('long enough', 'long enough')).toBeUndefined();
});

it('counts characters, not UTF-16 code units', () => {
  expect(issuesOf('😀😀😀', '😀😀😀')).toEqual([tooShort]);
});
