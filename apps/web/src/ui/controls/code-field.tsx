import { useFocus } from '../../lib/layout/use-focus.ts';
import { messages } from '../../messages.ts';
import { TextField } from './text-field.tsx';

type CodeFieldProps = {
  error: string | undefined;
  /** It was there from the start. */
  isExpected?: boolean;
};

/** The field for a two-factor code; it takes the focus where it appears because the code is what is missing. */
export function CodeField({ error, isExpected = false }: CodeFieldProps) {
  const input = useFocus<HTMLInputElement>();
  return (
    <TextField
      ref={isExpected ? undefined : input}
      label={messages.auth.code}
      name="code"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      required
      error={error}
    />
  );
}
