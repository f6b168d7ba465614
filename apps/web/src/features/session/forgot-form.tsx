import { useMutation } from '@tanstack/react-query';
import { api } from '../../lib/api/api.ts';
import { errorSentence } from '../../lib/api/error-sentence.ts';
import { fieldErrors } from '../../lib/forms/field-errors.ts';
import { formText } from '../../lib/forms/form-text.ts';
import { useFocus } from '../../lib/layout/use-focus.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { messages } from '../../messages.ts';
import { Button } from '../../ui/controls/button.tsx';
import { FormFault } from '../../ui/controls/form-fault.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';

const text = messages.forgotPassword;

type ForgotFormProps = {
  /** Typed in before. */
  email?: string;
  /** With the sentence that everyone is told. */
  onSent: (sentence: string) => void;
  onBack: () => void;
};

/** Ask for a link that resets the password. */
export function ForgotForm({ email = '', onSent, onBack }: ForgotFormProps) {
  const field = useFocus<HTMLInputElement>();
  const forgot = useMutation({
    mutationFn: async (address: string) => (await api.forgotPassword({ body: { email: address } })).data.message,
    onSuccess: (description) => {
      showToast({ title: text.sent, description });
      onSent(description);
    },
    onError: (error) => void showToast({ title: text.failed, description: errorSentence(error), destructive: true }),
  });
  return (
    <form
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        forgot.mutate(formText(new FormData(event.currentTarget), 'email'));
      }}
    >
      <p className="text-muted text-sm">{text.lead}</p>
      <TextField
        ref={field}
        label={messages.auth.email}
        name="email"
        type="email"
        autoComplete="username"
        defaultValue={email}
        required
        error={fieldErrors(forgot.error).email}
      />
      <FormFault error={forgot.error} instead={text.notSent} />
      <Button type="submit" size="wide" pending={forgot.isPending} pendingText={text.pending}>
        {text.submit}
      </Button>
      <Button look="ghost" size="wide" onClick={onBack}>
        {text.back}
      </Button>
    </form>
  );
}
