import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { dismissToasts } from '../../lib/toast-store.ts';
import { useFocus } from '../../lib/use-focus.ts';
import { messages } from '../../messages.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useAuth } from '../session/auth-context.ts';
import { CodeField } from '../session/code-field.tsx';
import { fieldErrors } from '../session/field-errors.ts';
import { formText } from '../session/form-text.ts';
import { asksForCode } from '../session/use-session-writes.ts';
import { tellFailure } from './tell-failure.ts';

export type Proof = { password: string; code: string | undefined };

type ProofFormProps<T> = {
  text: { submit: string; pending: string; failed: string };
  /** The call that needs the proof. */
  send: (proof: Proof) => Promise<T>;
  onDone: (answer: T) => void;
  onCancel: () => void;
};

/** Does something that only the owner may: asks for the password, and for a code where two-factor sign-in is on. */
export function ProofForm<T>({ text, send, onDone, onCancel }: ProofFormProps<T>) {
  const isExpected = useAuth().user?.twoFactorEnabled ?? false;
  const [needsCode, setNeedsCode] = useState(isExpected);
  const password = useFocus<HTMLInputElement>();
  const prove = useMutation({
    mutationFn: send,
    onSuccess: (answer) => {
      dismissToasts();
      onDone(answer);
    },
    onError: (error) => {
      // Two-factor sign-in may have been turned on elsewhere meanwhile.
      if (asksForCode(error) && !needsCode) setNeedsCode(true);
      else tellFailure(text.failed)(error);
    },
  });
  const errors = fieldErrors(prove.error);
  return (
    <form
      className="grid max-w-sm gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        prove.mutate({ password: formText(form, 'password'), code: formText(form, 'code') || undefined });
      }}
    >
      <TextField
        ref={password}
        label={messages.account.password}
        name="password"
        type="password"
        autoComplete="current-password"
        required
        error={errors.password}
      />
      {needsCode && <CodeField isExpected={isExpected} error={errors.code} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" disabled={prove.isPending}>
          {prove.isPending ? text.pending : text.submit}
        </Button>
        <Button look="ghost" onClick={onCancel}>
          {messages.account.cancel}
        </Button>
      </div>
    </form>
  );
}
