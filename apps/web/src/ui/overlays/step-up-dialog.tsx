import { stepUpBodySchema } from '@uprez/contracts/schemas/account';
import type { User } from '@uprez/contracts/schemas/user';
import { useState } from 'react';
import { api } from '../../lib/api/api.ts';
import { hasErrorCode } from '../../lib/api/api-errors.ts';
import { useStepUp } from '../../lib/api/step-up.ts';
import { useResourceMutation } from '../../lib/api/use-resource-mutation.ts';
import { emptyAsUndefined, useApiForm } from '../../lib/forms/use-api-form.ts';
import { Button } from '../controls/button.tsx';
import { PasswordField } from '../controls/password-field.tsx';
import { CodeField } from '../controls/text-field.tsx';
import { FormDialog } from './form-dialog.tsx';

const text = {
  title: "Confirm it's you",
  description: 'This change needs your password or a code from your authenticator app.',
  passwordOnly: 'This change needs your password.',
  password: 'Current password',
  usePassword: 'Use your password instead',
  useCode: 'Use a code instead',
  submit: 'Confirm',
  pending: 'Confirming...',
};

type ProofDialogProps = { user: User; finish: (isProven: boolean) => void };

function ProofDialog({ user, finish }: ProofDialogProps) {
  const [hasCodes, setHasCodes] = useState(user.twoFactorEnabled);
  const [byCode, setByCode] = useState(hasCodes);
  const proof = useResourceMutation({
    call: async (body: { password?: string | undefined; code?: string | undefined }) => {
      await api.stepUp({ body });
    },
    onSuccess: () => finish(true),
    onError: (error) => {
      // Two-factor authentication was turned off on another device.
      if (!hasErrorCode(error, 'two_factor_state')) return;
      setHasCodes(false);
      setByCode(false);
    },
  });
  const form = useApiForm({
    schema: stepUpBodySchema,
    defaultValues: { password: undefined, code: undefined },
    send: (values) => proof.mutateAsync(values),
  });
  const change = () => {
    form.reset();
    setByCode(!byCode);
  };
  return (
    <FormDialog
      title={text.title}
      description={hasCodes ? text.description : text.passwordOnly}
      form={form}
      text={text}
      onClose={() => finish(false)}
    >
      {byCode ? (
        <CodeField key="code" {...form.field('code', emptyAsUndefined)} autoFocus />
      ) : (
        <PasswordField
          key="password"
          label={text.password}
          {...form.field('password', emptyAsUndefined)}
          autoComplete="current-password"
          autoFocus
          required
        />
      )}
      {hasCodes && (
        <Button look="ghost" className="justify-self-start" onClick={change}>
          {byCode ? text.usePassword : text.useCode}
        </Button>
      )}
    </FormDialog>
  );
}

/**
 * Asks for the password or, with two-factor authentication, a code when an API call requires it. The call is then
 * repeated.
 */
export function StepUpDialog({ user }: { user: User }) {
  const { finish } = useStepUp();
  return finish ? <ProofDialog user={user} finish={finish} /> : null;
}
