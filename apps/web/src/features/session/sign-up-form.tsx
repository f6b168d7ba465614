import { registerBodySchema } from '@uprez/contracts/schemas/user';
import { useMinPasswordLength } from '../../lib/forms/new-password-schema.ts';
import { emptyAsUndefined, useApiForm } from '../../lib/forms/use-api-form.ts';
import { messages } from '../../messages.ts';
import { Button } from '../../ui/controls/button.tsx';
import { PasswordField } from '../../ui/controls/password-field.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { useAuth } from './auth-provider.tsx';

const text = messages.auth;
const names = [
  { name: 'firstName', autoComplete: 'given-name' },
  { name: 'lastName', autoComplete: 'family-name' },
] as const;

export function SignUpForm() {
  const { register } = useAuth();
  const minLength = useMinPasswordLength();
  const form = useApiForm({
    schema: registerBodySchema,
    defaultValues: { firstName: undefined, lastName: undefined, email: '', password: '' },
    send: (body) => register.mutateAsync({ ...body, username: body.email }),
  });
  return (
    <form className="grid gap-5" onSubmit={form.submit}>
      <div className="grid gap-5 sm:grid-cols-2 sm:gap-3">
        {names.map(({ name, autoComplete }) => (
          <TextField
            key={name}
            label={text[name]}
            optional={text.optional}
            {...form.field(name, emptyAsUndefined)}
            autoComplete={autoComplete}
          />
        ))}
      </div>
      <TextField label={text.email} {...form.field('email')} type="email" autoComplete="email" required />
      <PasswordField
        label={text.password}
        {...form.field('password')}
        autoComplete="new-password"
        required
        hint={messages.resetPassword.hint(minLength)}
      />
      {form.error && <Notice kind="danger">{text.notSignedUp}</Notice>}
      <Button type="submit" size="wide" pending={form.isSubmitting} pendingText={text.pendingSignUp}>
        {text.submitSignUp}
      </Button>
    </form>
  );
}
