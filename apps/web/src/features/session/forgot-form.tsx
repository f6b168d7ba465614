import { useMutation } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { errorSentence } from '../../lib/error-sentence.ts';
import { fieldErrors } from '../../lib/field-errors.ts';
import { formText } from '../../lib/form-text.ts';
import { showToast } from '../../lib/toast-store.ts';
import { useFocus } from '../../lib/use-focus.ts';
import { messages } from '../../messages.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';

const text = messages.forgotPassword;

/** Ask for a link that resets the password; `onClose`: back to signing in. */
export function ForgotForm({ onClose }: { onClose: () => void }) {
  const email = useFocus<HTMLInputElement>();
  const forgot = useMutation({
    mutationFn: async (address: string) => (await api.forgotPassword({ body: { email: address } })).data.message,
    onSuccess: (description) => {
      showToast({ title: text.sent, description });
      onClose();
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
        ref={email}
        label={messages.auth.email}
        name="email"
        type="email"
        autoComplete="username"
        required
        error={fieldErrors(forgot.error).email}
      />
      <Button type="submit" size="wide" disabled={forgot.isPending}>
        {forgot.isPending ? text.pending : text.submit}
      </Button>
      <Button look="ghost" size="wide" onClick={onClose}>
        {text.back}
      </Button>
    </form>
  );
}
