import { useState } from 'react';
import { asksForCode } from '../../lib/api/asks-for-code.ts';
import { fieldErrors } from '../../lib/forms/field-errors.ts';
import { formText } from '../../lib/forms/form-text.ts';
import { useFocus } from '../../lib/layout/use-focus.ts';
import { messages } from '../../messages.ts';
import { Button, linkStyle } from '../../ui/controls/button.tsx';
import { CodeField } from '../../ui/controls/code-field.tsx';
import { FormFault } from '../../ui/controls/form-fault.tsx';
import { PasswordField } from '../../ui/controls/password-field.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { useAuth } from './auth-context.ts';

const text = messages.auth;

type SignInFormProps = {
  /** It follows the form that asks for a new password, and takes the focus that was there. */
  isBack: boolean;
  /** To that form, with the address as far as it was typed in. */
  onForgot: (email: string) => void;
};

export function SignInForm({ isBack, onForgot }: SignInFormProps) {
  const { login } = useAuth();
  const email = useFocus<HTMLInputElement>();
  const [needsCode, setNeedsCode] = useState(false);
  const errors = fieldErrors(login.error);
  const submit = (form: FormData) =>
    login.mutate(
      {
        email: formText(form, 'email'),
        password: formText(form, 'password'),
        code: formText(form, 'code') || undefined,
      },
      { onError: (error) => setNeedsCode((needed) => needed || asksForCode(error)) },
    );
  return (
    <form
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        submit(new FormData(event.currentTarget));
      }}
    >
      <TextField
        ref={isBack ? email : undefined}
        label={text.email}
        name="email"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        error={errors.email}
      />
      <PasswordField
        label={text.password}
        name="password"
        autoComplete="current-password"
        required
        error={errors.password}
      />
      {needsCode && <CodeField error={errors.code} />}
      <FormFault error={login.error} instead={text.notSignedIn} />
      <Button type="submit" size="wide" pending={login.isPending} pendingText={text.pendingSignIn}>
        {text.submitSignIn}
      </Button>
      <button
        type="button"
        onClick={({ currentTarget: { form } }) => onForgot(form ? formText(new FormData(form), 'email') : '')}
        className={linkStyle}
      >
        {text.forgot}
      </button>
    </form>
  );
}
