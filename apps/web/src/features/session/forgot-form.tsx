import { forgotBodySchema } from '@uprez/contracts/schemas/account';
import { api } from '../../lib/api/api.ts';
import { useResourceMutation } from '../../lib/api/use-resource-mutation.ts';
import { useApiForm } from '../../lib/forms/use-api-form.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { messages } from '../../messages.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';

const text = messages.forgotPassword;

type ForgotFormProps = { email?: string; onSent: (message: string) => void; onBack: () => void };

export function ForgotForm({ email = '', onSent, onBack }: ForgotFormProps) {
  const forgot = useResourceMutation({
    call: async (body: { email: string }) => (await api.forgotPassword({ body })).data.message,
    onSuccess: (message) => {
      showToast({ title: text.sent, description: message });
      onSent(message);
    },
    errorTitle: text.failed,
  });
  const form = useApiForm({ schema: forgotBodySchema, defaultValues: { email }, send: forgot.mutateAsync });
  return (
    <form className="grid gap-5" onSubmit={form.submit}>
      <p className="text-muted text-sm">{text.lead}</p>
      <TextField
        label={messages.auth.email}
        {...form.field('email')}
        type="email"
        autoComplete="username"
        autoFocus
        required
      />
      {form.error && <Notice kind="danger">{text.notSent}</Notice>}
      <Button type="submit" size="wide" pending={form.isSubmitting} pendingText={text.pending}>
        {text.submit}
      </Button>
      <Button look="ghost" size="wide" onClick={onBack}>
        {text.back}
      </Button>
    </form>
  );
}
