import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { type NewPassword, useMinPasswordLength } from '../../lib/forms/new-password-schema.ts';
import { resetPasswordMessages } from '../../lib/session/reset-password-messages.ts';
import { IconButton } from './button.tsx';
import { TextField } from './text-field.tsx';

const visibilityLabels = { show: 'Show password', hide: 'Hide password' };

export type PasswordFieldProps = Omit<ComponentProps<typeof TextField>, 'type' | 'end'>;

export function PasswordField(props: PasswordFieldProps) {
  const [shown, setShown] = useState(false);
  return (
    <TextField
      {...props}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      end={
        <IconButton
          label={shown ? visibilityLabels.hide : visibilityLabels.show}
          icon={shown ? EyeOff : Eye}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        />
      }
    />
  );
}

export function NewPasswordFields({ field }: { field: (name: keyof NewPassword) => Partial<PasswordFieldProps> }) {
  const text = resetPasswordMessages;
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
