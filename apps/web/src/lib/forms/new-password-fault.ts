import { limits } from '@uprez/contracts/policy/limits';
import { messages } from '../../messages.ts';
import { useSite } from '../api/use-site.ts';
import { formText } from './form-text.ts';

/** What is wrong with a filled-in form: which field, and what to say of it. */
export type FormFaultText = { field: string; title: string; description: string };

/** The fields of a form that sets a password. */
export const newPasswordFields = { password: 'newPassword', repeated: 'confirmPassword' } as const;

/** What is wrong with a new password before the server is asked, and in which field. `minLength`: characters. */
export function findNewPasswordFault(form: FormData, minLength: number): FormFaultText | undefined {
  const password = formText(form, newPasswordFields.password);
  const text = messages.resetPassword;
  if ([...password].length < minLength)
    return { field: newPasswordFields.password, title: text.tooShort, description: text.tooShortText(minLength) };
  if (password === formText(form, newPasswordFields.repeated)) return undefined;
  return { field: newPasswordFields.repeated, ...text.mismatch };
}

/** Characters that a new password has at least: as the site wants it, once that is known. */
export function useMinPasswordLength(): number {
  const { data: site } = useSite();
  return Math.max(site?.minPasswordLength ?? 0, limits.passwordLength);
}
