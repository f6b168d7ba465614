import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '@uprez/client/api-error';
import { useState } from 'react';
import { api } from '../../lib/api/api.ts';
import { errorSentence } from '../../lib/api/error-sentence.ts';
import { userKey } from '../../lib/api/user-key.ts';
import { fieldErrors } from '../../lib/forms/field-errors.ts';
import { formText } from '../../lib/forms/form-text.ts';
import {
  type FormFaultText,
  findNewPasswordFault,
  newPasswordFields,
  useMinPasswordLength,
} from '../../lib/forms/new-password-fault.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { messages } from '../../messages.ts';
import { Button } from '../../ui/controls/button.tsx';
import { FormFault } from '../../ui/controls/form-fault.tsx';
import { NewPasswordFields } from '../../ui/controls/new-password-fields.tsx';

const text = messages.resetPassword;

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
  const minLength = useMinPasswordLength();
  const [fault, setFault] = useState<FormFaultText>();
  const errors = fault ? { [fault.field]: fault.description } : fieldErrors(reset.error);
  const submit = (form: FormData) => {
    const found = findNewPasswordFault(form, minLength);
    setFault(found);
    if (found) showToast({ title: found.title, description: found.description, destructive: true });
    else reset.mutate(formText(form, newPasswordFields.password));
  };
  return (
    <form
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        submit(new FormData(event.currentTarget));
      }}
    >
      <NewPasswordFields errors={errors} />
      {!fault && <FormFault error={reset.error} instead={text.notChanged} />}
      <Button type="submit" size="wide" pending={reset.isPending} pendingText={text.pending}>
        {text.submit}
      </Button>
    </form>
  );
}
