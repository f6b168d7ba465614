import { limits } from '@uprez/contracts/limits';
import { messages } from '../messages.ts';
import { formText } from './form-text.ts';

/** What is wrong with a filled-in form: which field, and what to say of it. */
export type FormFaultText = { field: string; title: string; description: string };

/** The fields of a form that sets a password. */
export const newPasswordFields = { password: 'newPassword', repeated: 'confirmPassword' } as const;

/** What is wrong with a new password before the server is asked, and in which field. */
export function findNewPasswordFault(form: FormData): FormFaultText | undefined {
  const password = formText(form, newPasswordFields.password);
  const text = messages.resetPassword;
  if ([...password].length < limits.passwordLength) return { field: newPasswordFields.password, ...text.tooShort };
  if (password === formText(form, newPasswordFields.repeated)) return undefined;
  return { field: newPasswordFields.repeated, ...text.mismatch };
}
