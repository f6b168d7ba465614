import { type NewPassword, useMinPasswordLength } from '../../lib/forms/new-password-schema.ts';
import { messages } from '../../messages.ts';
import { PasswordField, type PasswordFieldProps } from './password-field.tsx';

const text = messages.resetPassword;

/** A new password and its confirmation. `field`: props of a field of the form. */
export function NewPasswordFields({ field }: { field: (name: keyof NewPassword) => Partial<PasswordFieldProps> }) {
  const minLength = useMinPasswordLength();
  return (
    <>
      <PasswordField
        label={text.newPassword}
        {...field('newPassword')}
        autoComplete="new-password"
        required
        hint={text.hint(minLength)}
      />
      <PasswordField label={text.confirmPassword} {...field('confirmPassword')} autoComplete="new-password" required />
    </>
  );
}
