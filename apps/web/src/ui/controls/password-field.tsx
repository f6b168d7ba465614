import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { uiMessages } from '../../messages/ui.ts';
import { IconButton } from './icon-button.tsx';
import { TextField } from './text-field.tsx';

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
          label={shown ? uiMessages.hidePassword : uiMessages.showPassword}
          icon={shown ? EyeOff : Eye}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        />
      }
    />
  );
}
