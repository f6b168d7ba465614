import { newPasswordFields, useMinPasswordLength } from '../../lib/forms/new-password-fault.ts';
import { messages } from '../../messages.ts';
import { PasswordField } from './password-field.tsx';

const text = messages.resetPassword;

/** A new password, twice. `errors`: why the fields of the form were refused, by their names. */
export function NewPasswordFields({ errors }: { errors: Partial<Record<string, string>> }) {
  const minLength = useMinPasswordLength();
  return (
    <>
      <PasswordField
        label={text.newPassword}
        name={newPasswordFields.password}
        autoComplete="new-password"
        required
        hint={text.hint(minLength)}
        error={errors[newPasswordFields.password]}
      />
      <PasswordField
        label={text.confirmPassword}
        name={newPasswordFields.repeated}
        autoComplete="new-password"
        required
        error={errors[newPasswordFields.repeated]}
      />
    </>
  );
}
