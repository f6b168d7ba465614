import { useFocus } from '../../lib/use-focus.ts';
import { messages } from '../../messages.ts';
import { TextField } from '../../ui/text-field.tsx';

/** The field for a two-factor code; it takes the focus, since it appears when the code is what is missing. */
export function CodeField({ error }: { error: string | undefined }) {
  const input = useFocus<HTMLInputElement>();
  return (
    <TextField
      ref={input}
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
