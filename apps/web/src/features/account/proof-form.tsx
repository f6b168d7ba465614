import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { asksForCode } from '../../lib/api/asks-for-code.ts';
import { fieldErrors } from '../../lib/forms/field-errors.ts';
import { formText } from '../../lib/forms/form-text.ts';
import type { FormFaultText } from '../../lib/forms/new-password-fault.ts';
import { dismissToasts } from '../../lib/notifications/toast-store.ts';
import { Button } from '../../ui/controls/button.tsx';
import { CodeField } from '../../ui/controls/code-field.tsx';
import { FormFault } from '../../ui/controls/form-fault.tsx';
import { PasswordField } from '../../ui/controls/password-field.tsx';
import { accountMessages } from './messages.ts';
import { useFaultFocus } from './use-fault-focus.ts';

export type Proof = { password: string; code: string | undefined };
export type FieldErrors = Partial<Record<string, string>>;

export type ProofFormProps<T> = {
  user: { email: string; twoFactorEnabled: boolean };
  text: { submit: string; pending: string };
  /** Of the button that does it; with a dangerous one the focus starts on Cancel. */
  look?: 'primary' | 'danger';
  /** What is asked for before the proof. `errors`: why a field of that name was refused. */
  fields?: (errors: FieldErrors) => ReactNode;
  /** What is wrong before the server is asked. */
  check?: (form: FormData) => FormFaultText | undefined;
  /** The call that needs the proof. */
  send: (proof: Proof, form: FormData) => Promise<T>;
  onDone: (answer: T) => void;
};

/** Does something that only the owner may: asks for the password, and for a code where two-factor sign-in is on. */
export function ProofForm<T>({ user, text, fields, check, ...props }: ProofFormProps<T> & { onCancel: () => void }) {
  const { look = 'primary', send, onDone, onCancel } = props;
  const [needsCode, setNeedsCode] = useState(user.twoFactorEnabled);
  const [fault, setFault] = useState<FormFaultText>();
  const prove = useMutation({
    mutationFn: (form: FormData) =>
      send({ password: formText(form, 'password'), code: formText(form, 'code') || undefined }, form),
    onSuccess: (answer) => {
      dismissToasts();
      onDone(answer);
    },
    onError: (error) => {
      // Two-factor sign-in may have been turned on elsewhere meanwhile.
      if (asksForCode(error)) setNeedsCode(true);
    },
  });
  const errors: FieldErrors = fault ? { [fault.field]: fault.description } : fieldErrors(prove.error);
  const form = useRef<HTMLFormElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  const isDangerous = look === 'danger';
  useEffect(() => {
    const first = isDangerous ? cancel.current : form.current?.querySelector<HTMLElement>('input:not([hidden])');
    first?.focus();
  }, [isDangerous]);
  useFaultFocus(form, fault ?? prove.error);
  const submit = (filled: FormData) => {
    const found = check?.(filled);
    setFault(found);
    if (!found) prove.mutate(filled);
  };
  return (
    <form
      ref={form}
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        submit(new FormData(event.currentTarget));
      }}
    >
      {/* For password managers: whose password it is. */}
      <input hidden readOnly name="username" autoComplete="username" value={user.email} />
      {fields?.(errors)}
      <PasswordField
        label={accountMessages.password}
        name="password"
        autoComplete="current-password"
        required
        error={errors.password}
      />
      {needsCode && <CodeField isExpected={user.twoFactorEnabled} error={errors.code} />}
      {!fault && <FormFault error={prove.error} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look={look} pending={prove.isPending} pendingText={text.pending}>
          {text.submit}
        </Button>
        <Button ref={cancel} look="ghost" onClick={onCancel}>
          {accountMessages.cancel}
        </Button>
      </div>
    </form>
  );
}
