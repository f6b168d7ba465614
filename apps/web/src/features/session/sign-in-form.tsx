import { messages } from '../../messages.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useAuth } from './auth-context.ts';
import { fieldErrors } from './field-errors.ts';
import { formText } from './form-text.ts';

const text = messages.auth;

export function SignInForm() {
  const { login } = useAuth();
  const errors = fieldErrors(login.error);
  const submit = (form: FormData) =>
    login.mutate({ email: formText(form, 'email'), password: formText(form, 'password') });
  return (
    <form
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        submit(new FormData(event.currentTarget));
      }}
    >
      <TextField label={text.email} name="email" type="email" autoComplete="username" required error={errors.email} />
      <TextField
        label={text.password}
        name="password"
        type="password"
        autoComplete="current-password"
        required
        error={errors.password}
      />
      <Button type="submit" size="wide" disabled={login.isPending}>
        {login.isPending ? text.pendingSignIn : text.submitSignIn}
      </Button>
    </form>
  );
}
