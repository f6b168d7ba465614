import { loginBodySchema, registerBodySchema } from '@uprez/contracts/schemas/user';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { hasErrorCode } from '../../lib/api/api-errors.ts';
import { useMinPasswordLength } from '../../lib/forms/new-password-schema.ts';
import { emptyAsUndefined, useApiForm } from '../../lib/forms/use-api-form.ts';
import { hasPasskeys } from '../../lib/session/has-passkeys.ts';
import { keepNext } from '../../lib/session/keep-next.ts';
import { passkeyMessages } from '../../lib/session/passkey-messages.ts';
import { resetPasswordMessages } from '../../lib/session/reset-password-messages.ts';
import { messages } from '../../messages.ts';
import { Button, linkStyle } from '../../ui/controls/button.tsx';
import { Checkbox } from '../../ui/controls/checkbox.tsx';
import { PasswordField } from '../../ui/controls/password-field.tsx';
import { CodeField, TextField } from '../../ui/controls/text-field.tsx';
import { FormError } from '../../ui/feedback/form-error.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { useAuth } from './auth-provider.tsx';
import { ForgotForm } from './reset-form.tsx';
import { Consent, NameFields } from './sign-up-fields.tsx';

const text = messages.auth;

function PasskeyButton() {
  const { passkeyLogin } = useAuth();
  return (
    <Button
      look="secondary"
      size="wide"
      pending={passkeyLogin.isPending}
      pendingText={passkeyMessages.pending}
      onClick={() => passkeyLogin.mutate()}
    >
      {passkeyMessages.use}
    </Button>
  );
}

type SignInFormProps = { takesFocus: boolean; onForgot: (email: string) => void };

/** `takesFocus`: focuses the email field, for a form that replaces another one. */
function SignInForm({ takesFocus, onForgot }: SignInFormProps) {
  const { login } = useAuth();
  const [needsCode, setNeedsCode] = useState(false);
  const form = useApiForm({
    schema: loginBodySchema,
    defaultValues: { email: '', password: '', code: undefined },
    failure: text.loginFailed,
    send: (body) =>
      login.mutateAsync(body, {
        onError: (error) => setNeedsCode((needed) => needed || hasErrorCode(error, 'two_factor_required')),
      }),
  });
  return (
    <form className="grid gap-5" onSubmit={form.submit}>
      <TextField
        label={text.email}
        // A wrong email is reported at the password.
        {...form.field('email', { onChange: () => form.clearErrors() })}
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus={takesFocus}
        required
      />
      <PasswordField label={text.password} {...form.field('password')} autoComplete="current-password" required />
      {needsCode && <CodeField {...form.field('code', emptyAsUndefined)} autoFocus />}
      <FormError form={form} />
      <Button type="submit" size="wide" pending={form.isSubmitting} pendingText={text.pendingSignIn}>
        {text.submitSignIn}
      </Button>
      {hasPasskeys() && <PasskeyButton />}
      <button type="button" onClick={() => onForgot(form.getValues('email'))} className={linkStyle}>
        {text.forgot}
      </button>
    </form>
  );
}

export function SignIn() {
  const { login } = useAuth();
  /** The email address for the reset form; undefined while the sign-in form is shown. */
  const [resetEmail, setResetEmail] = useState<string>();
  const [hasReturned, setHasReturned] = useState(false);
  const [sentMessage, setSentMessage] = useState<string>();
  const close = () => {
    setResetEmail(undefined);
    setHasReturned(true);
  };
  if (resetEmail !== undefined)
    return (
      <ForgotForm
        email={resetEmail}
        onSent={(message) => {
          setSentMessage(message);
          close();
        }}
        onBack={close}
      />
    );
  return (
    <div className="grid gap-5">
      {sentMessage && login.isIdle && <Notice kind="info">{sentMessage}</Notice>}
      <SignInForm
        takesFocus={hasReturned}
        onForgot={(email) => {
          login.reset();
          setSentMessage(undefined);
          setResetEmail(email);
        }}
      />
    </div>
  );
}

export function SignUpForm() {
  const { register } = useAuth();
  const minLength = useMinPasswordLength();
  const [params] = useSearchParams();
  const form = useApiForm({
    schema: registerBodySchema,
    defaultValues: { firstName: undefined, lastName: undefined, email: '', password: '', acceptTerms: false },
    failure: text.registrationFailed,
    send: (body) => register.mutateAsync({ ...body, username: body.email, next: keepNext(params.get('next')) }),
  });
  const { ref } = form.register('acceptTerms');
  return (
    <form className="grid gap-5" onSubmit={form.submit}>
      <NameFields field={form.field} />
      <TextField label={text.email} {...form.field('email')} type="email" autoComplete="email" required />
      <PasswordField
        label={text.password}
        {...form.field('password')}
        autoComplete="new-password"
        required
        hint={resetPasswordMessages.hint(minLength)}
      />
      <Checkbox
        ref={ref}
        label={<Consent />}
        checked={form.watch('acceptTerms') ?? false}
        onChange={(acceptTerms) => form.change({ acceptTerms })}
        error={form.errorOf('acceptTerms')}
        required
      />
      <FormError form={form} />
      <Button type="submit" size="wide" pending={form.isSubmitting} pendingText={text.pendingSignUp}>
        {text.submitSignUp}
      </Button>
    </form>
  );
}
