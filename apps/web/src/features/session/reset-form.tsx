import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api/api.ts';
import { hasErrorCode } from '../../lib/api/api-errors.ts';
import { userKey } from '../../lib/api/queries.ts';
import { useResourceMutation } from '../../lib/api/use-resource-mutation.ts';
import { newPasswordSchema, useMinPasswordLength } from '../../lib/forms/new-password-schema.ts';
import { useApiForm } from '../../lib/forms/use-api-form.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { messages } from '../../messages.ts';
import { Button } from '../../ui/controls/button.tsx';
import { NewPasswordFields } from '../../ui/controls/password-field.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';

const text = messages.resetPassword;

export function ResetForm({ token, onDone, onInvalid }: { token: string; onDone: () => void; onInvalid: () => void }) {
  const queryClient = useQueryClient();
  const minLength = useMinPasswordLength();
  const reset = useResourceMutation({
    call: async (newPassword: string) => (await api.resetPassword({ body: { token, newPassword } })).data.message,
    onSuccess: (message) => {
      // The server ended all sessions, including this browser's.
      queryClient.setQueryData(userKey, null);
      showToast({ title: text.done, description: message });
      onDone();
    },
    errorTitle: text.failed,
    onError: (error) => hasErrorCode(error, 'invalid_token') && onInvalid(),
  });
  const titles: Record<string, string> = {
    [text.tooShortText(minLength)]: text.tooShort,
    [text.mismatch.description]: text.mismatch.title,
  };
  const form = useApiForm({
    schema: newPasswordSchema(minLength),
    defaultValues: { newPassword: '', confirmPassword: '' },
    send: ({ newPassword }) => reset.mutateAsync(newPassword),
    onInvalid: (_, message) =>
      void showToast({ title: titles[message] ?? text.failed, description: message, destructive: true }),
  });
  return (
    <form className="grid gap-5" onSubmit={form.submit}>
      <NewPasswordFields field={form.field} />
      {form.error && <Notice kind="danger">{text.notChanged}</Notice>}
      <Button type="submit" size="wide" pending={form.isSubmitting} pendingText={text.pending}>
        {text.submit}
      </Button>
    </form>
  );
}
