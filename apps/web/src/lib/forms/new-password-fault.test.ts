import { expect, it } from 'vitest';
import { findNewPasswordFault } from './new-password-fault.ts';

const filled = (newPassword: string, confirmPassword: string) => {
  const form = new FormData();
  form.set('newPassword', newPassword);
  form.set('confirmPassword', confirmPassword);
  return form;
};

it('says which field is wrong, the length first', () => {
  expect(findNewPasswordFault(filled('five!', 'other'), 6)).toMatchObject({
    field: 'newPassword',
    title: 'Password Too Short',
  });
  expect(findNewPasswordFault(filled('long enough', 'long enouh'), 6)).toMatchObject({
    field: 'confirmPassword',
    title: "Passwords Don't Match",
  });
  expect(findNewPasswordFault(filled('long enough', 'long enough'), 6)).toBeUndefined();
});

it('counts characters as people see them, not code units', () => {
  expect(findNewPasswordFault(filled('😀😀😀', '😀😀😀'), 6)).toMatchObject({
    description: 'Password must be at least 6 characters long',
  });
});
