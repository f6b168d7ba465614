import { useQueryClient } from '@tanstack/react-query';
import { profileBodySchema } from '@uprez/contracts/schemas/account';
import type { User } from '@uprez/contracts/schemas/user';
import { api } from '../../lib/api/api.ts';
import { userKey } from '../../lib/api/queries.ts';
import { useResourceMutation } from '../../lib/api/use-resource-mutation.ts';
import { useApiForm } from '../../lib/forms/use-api-form.ts';
import { dismissToasts, showToast } from '../../lib/notifications/toast-store.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { AccountSection } from './account-section.tsx';
import { accountMessages } from './messages.ts';

const text = accountMessages.profile;
const fields = [
  { name: 'firstName', autoComplete: 'given-name' },
  { name: 'lastName', autoComplete: 'family-name' },
] as const;

/** The API stores a blank name as null. */
const trimToNull = { setValueAs: (name: string | null) => name?.trim() || null };

export function ProfileSection({ user }: { user: User }) {
  const queryClient = useQueryClient();
  const save = useResourceMutation({
    call: async (body: Partial<Pick<User, 'firstName' | 'lastName'>>) => (await api.updateProfile({ body })).data,
    onSuccess: (saved) => {
      queryClient.setQueryData(userKey, saved);
      dismissToasts();
      showToast({ title: text.saved });
    },
  });
  const form = useApiForm({
    schema: profileBodySchema,
    defaultValues: { firstName: user.firstName, lastName: user.lastName },
    send: save.mutateAsync,
  });
  const isDirty = fields.some(({ name }) => form.watch(name) !== user[name]);
  return (
    <AccountSection part="profile">
      <p className="text-muted text-sm">{text.text}</p>
      <form
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          // Not `isDirty`: a busy page may not have rendered since the last key.
          if (fields.some(({ name }) => form.getValues(name) !== user[name])) void form.submit(event);
        }}
      >
        <div className="grid gap-5 sm:grid-cols-2 sm:gap-3">
          {fields.map(({ name, autoComplete }) => (
            <TextField
              key={name}
              label={text[name]}
              optional={text.optional}
              {...form.field(name, trimToNull)}
              autoComplete={autoComplete}
            />
          ))}
        </div>
        {user.username !== user.email && (
          <p className="text-muted text-sm wrap-anywhere">{text.username(user.username)}</p>
        )}
        {form.error && <Notice kind="danger">{form.error}</Notice>}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button
            type="submit"
            look={isDirty ? 'primary' : 'secondary'}
            aria-disabled={!isDirty || undefined}
            pending={form.isSubmitting}
            pendingText={text.pending}
          >
            {text.submit}
          </Button>
          {isDirty && <p className="text-muted text-sm">{text.dirty}</p>}
        </div>
      </form>
    </AccountSection>
  );
}
