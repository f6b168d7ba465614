import { limits } from '@uprez/contracts/policy/limits';
import { newPasswordSchema as passwordSchema } from '@uprez/contracts/schemas/user';
import * as z from 'zod';
import { useSite } from '../api/queries.ts';
import { resetPasswordMessages } from '../session/reset-password-messages.ts';

const text = resetPasswordMessages;

export type NewPassword = { newPassword: string; confirmPassword: string };

/** Returns the schema of a form that sets a password. `minLength`: minimum length in characters (code points). */
export const newPasswordSchema = (minLength: number): z.ZodType<NewPassword, NewPassword> =>
  z
    .object({
      newPassword: passwordSchema.refine((password) => [...password].length >= minLength, text.tooShortText(minLength)),
      confirmPassword: z.string(),
    })
    .refine(({ newPassword, confirmPassword }) => newPassword === confirmPassword, {
      path: ['confirmPassword'],
      error: text.mismatch.description,
    });

/** Returns the minimum length of a new password in characters, including the site's policy once it is loaded. */
export function useMinPasswordLength(): number {
  const { data: site } = useSite();
  return Math.max(site?.minPasswordLength ?? 0, limits.passwordLength);
}
