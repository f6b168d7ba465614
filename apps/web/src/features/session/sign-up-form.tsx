import { fieldErrors } from '../../lib/forms/field-errors.ts';
import { formText } from '../../lib/forms/form-text.ts';
import { useMinPasswordLength } from '../../lib/forms/new-password-fault.ts';
import { messages } from '../../messages.ts';
import { Button } from '../../ui/controls/button.tsx';
import { FormFault } from '../../ui/controls/form-fault.tsx';
import { PasswordField } from '../../ui/controls/password-field.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { useAuth } from './auth-context.ts';

const text = messages.auth;

function readForm(form: FormData) {
  const email = formText(form, 'email');
  return {
    email,
    username: email,
    password: formText(form, 'password'),
    firstName: formText(form, 'firstName') || undefined,
    lastName: formText(form, 'lastName') || undefined,
  };
}

export function SignUpForm() {
  const { register } = useAuth();
  const minLength = useMinPasswordLength();
  const errors = fieldErrors(register.error);
  return (
    <form
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        register.mutate(readForm(new FormData(event.currentTarget)));
      }}
    >
      <div className="grid gap-5 sm:grid-cols-2 sm:gap-3">
        <TextField
          label={text.firstName}
          optional={text.optional}
          name="firstName"
          autoComplete="given-name"
          error={errors.firstName}
        />
        <TextField
          label={text.lastName}
          optional={text.optional}
          name="lastName"
          autoComplete="family-name"
          error={errors.lastName}
        />
      </div>
      <TextField label={text.email} name="email" type="email" autoComplete="email" required error={errors.email} />
      <PasswordField
        label={text.password}
        name="password"
        autoComplete="new-password"
        required
        hint={messages.resetPassword.hint(minLength)}
        error={errors.password}
      />
      <FormFault error={register.error} instead={text.notSignedUp} />
      <Button type="submit" size="wide" pending={register.isPending} pendingText={text.pendingSignUp}>
        {text.submitSignUp}
      </Button>
    </form>
  );
}
