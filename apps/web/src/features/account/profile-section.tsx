import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { User } from '@uprez/contracts/schemas/user';
import { useRef, useState } from 'react';
import { api } from '../../lib/api/api.ts';
import { userKey } from '../../lib/api/user-key.ts';
import { fieldErrors } from '../../lib/forms/field-errors.ts';
import { formText } from '../../lib/forms/form-text.ts';
import { dismissToasts, showToast } from '../../lib/notifications/toast-store.ts';
import { Button } from '../../ui/controls/button.tsx';
import { FormFault } from '../../ui/controls/form-fault.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { AccountSection } from './account-section.tsx';
import { accountMessages } from './messages.ts';
import { useFaultFocus } from './use-fault-focus.ts';

const text = accountMessages.profile;
const names = ['firstName', 'lastName'] as const;
const tokens = { firstName: 'given-name', lastName: 'family-name' } as const;

type Names = Pick<User, (typeof names)[number]>;

/** The names as they are kept: none where nothing is left without the spaces around. */
const readNames = (form: FormData): Names => ({
  firstName: formText(form, 'firstName').trim() || null,
  lastName: formText(form, 'lastName').trim() || null,
});

/** What the user is called. */
export function ProfileSection({ user }: { user: User }) {
  const queryClient = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const [isDirty, setIsDirty] = useState(false);
  const save = useMutation({
    mutationFn: async (body: Names) => (await api.updateProfile({ body })).data,
    onSuccess: (saved, sent) => {
      queryClient.setQueryData(userKey, saved);
      dismissToasts();
      showToast({ title: text.saved });
      const typed = form.current && readNames(new FormData(form.current));
      setIsDirty(names.some((name) => typed?.[name] !== sent[name]));
    },
  });
  const errors = fieldErrors(save.error);
  useFaultFocus(form, save.error);
  return (
    <AccountSection part="profile">
      <p className="text-muted text-sm">{text.text}</p>
      <form
        ref={form}
        className="grid gap-5"
        onInput={({ currentTarget }) => {
          const typed = readNames(new FormData(currentTarget));
          setIsDirty(names.some((name) => typed[name] !== user[name]));
        }}
        onSubmit={(event) => {
          event.preventDefault();
          if (isDirty) save.mutate(readNames(new FormData(event.currentTarget)));
        }}
      >
        <div className="grid gap-5 sm:grid-cols-2 sm:gap-3">
          {names.map((name) => (
            <TextField
              key={name}
              label={text[name]}
              optional={text.optional}
              name={name}
              autoComplete={tokens[name]}
              defaultValue={user[name] ?? ''}
              error={errors[name]}
            />
          ))}
        </div>
        {user.username !== user.email && (
          <p className="text-muted text-sm wrap-anywhere">{text.username(user.username)}</p>
        )}
        <FormFault error={save.error} />
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button
            type="submit"
            look={isDirty ? 'primary' : 'secondary'}
            aria-disabled={!isDirty || undefined}
            pending={save.isPending}
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
