import type { ComponentProps } from 'react';
import { messages } from '../../messages.ts';
import { TextField } from './text-field.tsx';

export function CodeField(props: Omit<ComponentProps<typeof TextField>, 'label'>) {
  return (
    <TextField
      label={messages.auth.code}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      required
      {...props}
    />
  );
}
