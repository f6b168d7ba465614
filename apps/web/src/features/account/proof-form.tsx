import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { asksForCode } from '../../lib/asks-for-code.ts';
import { fieldErrors } from '../../lib/field-errors.ts';
import { formText } from '../../lib/form-text.ts';
import { dismissToasts } from '../../lib/toast-store.ts';
import { useFocus } from '../../lib/use-focus.ts';
import { accountMessages } from '../../messages/account.ts';
import { Button } from '../../ui/button.tsx';
import { CodeField } from '../../ui/code-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { tellFailure } from '../../lib/tell-failure.ts';

export type Proof = { password: string; code: string | undefined };

type ProofFormProps<T> = {
  hasTwoFactor: boolean;
  text: { submit: string; pending: string; failed: string };
  /** The call that needs the proof. */
  send: (proof: Proof) => Promise<T>;
  onDone: (answer: T) => void;
  onCancel: () => void;
};

/** Does something that only the owner may: asks for the password, and for a code where two-factor sign-in is on. */
export function ProofForm<T>({ hasTwoFactor, text, send, onDone, onCancel }: ProofFormProps<T>) {
  const [needsCode, setNeedsCode] = useState(hasTwoFactor);
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
        label={accountMessages.password}
        name="password"
        type="password"
        autoComplete="current-password"
        required
        error={errors.password}
      />
      {needsCode && <CodeField isExpected={hasTwoFactor} error={errors.code} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" disabled={prove.isPending}>
          {prove.isPending ? text.pending : text.submit}
        </Button>
        <Button look="ghost" onClick={onCancel}>
          {accountMessages.cancel}
        </Button>
      </div>
    </form>
  );
}
