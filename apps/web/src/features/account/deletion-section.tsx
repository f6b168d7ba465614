import { useQueryClient } from '@tanstack/react-query';
import { limits } from '@uprez/contracts/policy/limits';
import { proofBodySchema } from '@uprez/contracts/schemas/account';
import type { User } from '@uprez/contracts/schemas/user';
import { useState } from 'react';
import * as z from 'zod';
import { api } from '../../lib/api/api.ts';
import { userKey } from '../../lib/api/queries.ts';
import { useResourceMutation } from '../../lib/api/use-resource-mutation.ts';
import { formatTime } from '../../lib/format/format.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { clearDataInAllTabs } from '../../lib/session/session-lifecycle.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { typeToConfirm } from '../../ui/overlays/confirm-dialog.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { AccountSection, sessionsKey } from './account-section.tsx';
import { accountMessages } from './messages.ts';
import { ReauthForm } from './reauth-form.tsx';

const text = accountMessages.deletion;
const focus = (button: HTMLButtonElement | null) => button?.focus();

/** Shows when the account will be deleted, with a button to keep it. `isNew`: just requested; takes the focus. */
export function DeletionNotice({ deletesAt, isNew }: { deletesAt: string; isNew: boolean }) {
  const queryClient = useQueryClient();
  const keep = useResourceMutation({
    call: async () => (await api.keepAccount()).data,
    onSuccess: (user) => {
      queryClient.setQueryData(userKey, user);
      showToast({ title: text.kept });
    },
    errorTitle: text.keepFailed,
  });
  return (
    <Notice kind="warning">
      <p className="mb-3">{text.notice(formatTime(deletesAt))}</p>
      <Button ref={isNew ? focus : undefined} disabled={keep.isPending} onClick={() => keep.mutate()}>
        {text.keep}
      </Button>
    </Notice>
  );
}

/** Requires the email address to be typed, to prevent deleting the wrong account. */
const deletionSchema = (email: string) =>
  proofBodySchema.extend({
    typed: z.string().refine((typed) => typed.trim().toLowerCase() === email.toLowerCase(), text.typed),
  });

/** `onAsked` is called before the notice of the deletion appears. */
export function DeletionSection({ user, onAsked }: { user: User; onAsked: () => void }) {
  const queryClient = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <AccountSection part="delete" danger>
      <p className="text-muted text-sm">{text.text(limits.deletionDays)}</p>
      <Button look="danger" className="justify-self-start" onClick={() => setIsOpen(true)}>
        {text.open}
      </Button>
      <Dialog open={isOpen} onOpenChange={setIsOpen} title={text.ask} description={text.text(limits.deletionDays)}>
        <ReauthForm
          user={user}
          text={text}
          look="danger"
          schema={deletionSchema(user.email)}
          defaultValues={{ typed: '' }}
          fields={(field) => (
            <TextField
              label={typeToConfirm(user.email)}
              {...field('typed')}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              required
            />
          )}
          call={async ({ typed: _, ...body }) => (await api.deleteAccount({ body })).data}
          onDone={({ deletesAt }) => {
            setIsOpen(false);
            onAsked();
            void clearDataInAllTabs();
            queryClient.setQueryData<User | null>(userKey, (known) => known && { ...known, deletesAt });
            // The other devices were signed out.
            void queryClient.invalidateQueries({ queryKey: sessionsKey });
          }}
          onCancel={() => setIsOpen(false)}
        />
      </Dialog>
    </AccountSection>
  );
}
