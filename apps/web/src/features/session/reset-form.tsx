import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '@uprez/client/api-error';
import { limits } from '@uprez/contracts/limits';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { errorSentence } from '../../lib/error-sentence.ts';
import { fieldErrors } from '../../lib/field-errors.ts';
import { formText } from '../../lib/form-text.ts';
import { showToast } from '../../lib/toast-store.ts';
import { userKey } from '../../lib/user-key.ts';
import { messages } from '../../messages.ts';
import { Button } from '../../ui/button.tsx';
import { FormFault } from '../../ui/form-fault.tsx';
import { TextField } from '../../ui/text-field.tsx';

const text = messages.resetPassword;

/** What is wrong with a new password before the server is asked, and in which field. */
function findFault(password: string, repeated: string) {
  if ([...password].length < limits.passwordLength) return { field: 'newPassword', ...text.tooShort };
  return password === repeated ? undefined : { field: 'confirmPassword', ...text.mismatch };
}

type ResetFormProps = { token: string; onDone: () => void; onInvalid: () => void };

/** Set a new password with the token of a link. */
export function ResetForm({ token, onDone, onInvalid }: ResetFormProps) {
  const queryClient = useQueryClient();
  const reset = useMutation({
    mutationFn: async (newPassword: string) => (await api.resetPassword({ body: { token, newPassword } })).data.message,
    onSuccess: (description) => {
      // Every session has ended, this browser's too.
      queryClient.setQueryData(userKey, null);
      showToast({ title: text.done, description });
      onDone();
    },
    onError: (error) => {
      showToast({ title: text.failed, description: errorSentence(error), destructive: true });
      if (error instanceof ApiError && error.code === 'invalid_token') onInvalid();
    },
  });
  const [fault, setFault] = useState<ReturnType<typeof findFault>>();
  const errors = fault ? { [fault.field]: fault.description } : fieldErrors(reset.error);
  const submit = (form: FormData) => {
    const password = formText(form, 'newPassword');
    const found = findFault(password, formText(form, 'confirmPassword'));
    setFault(found);
    if (found) showToast({ title: found.title, description: found.description, destructive: true });
    else reset.mutate(password);
  };
  return (
    <form
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        submit(new FormData(event.currentTarget));
      }}
    >
      <TextField
        label={text.newPassword}
        name="newPassword"
        type="password"
        autoComplete="new-password"
        required
        error={errors.newPassword}
      />
      <TextField
        label={text.confirmPassword}
        name="confirmPassword"
        type="password"
        autoComplete="new-password"
        required
        error={errors.confirmPassword}
      />
      {!fault && <FormFault error={reset.error} />}
      <Button type="submit" size="wide" disabled={reset.isPending}>
        {reset.isPending ? text.pending : text.submit}
      </Button>
    </form>
  );
}
