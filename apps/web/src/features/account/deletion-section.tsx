import { useQueryClient } from '@tanstack/react-query';
import { limits } from '@uprez/contracts/policy/limits';
import { proofBodySchema } from '@uprez/contracts/schemas/account';
import type { User } from '@uprez/contracts/schemas/user';
import { useState } from 'react';
import * as z from 'zod';
import { api } from '../../lib/api/api.ts';
import { userKey } from '../../lib/api/queries.ts';
import { formatTime } from '../../lib/format/format.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { clearDataInAllTabs } from '../../lib/session/session-lifecycle.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { ReauthForm } from '../../ui/forms/reauth-form.tsx';
import { typeToConfirm } from '../../ui/overlays/confirm-dialog.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { AccountSection, sessionsKey } from './account-section.tsx';
import { accountMessages } from './messages.ts';

const text = accountMessages.deletion;

/** Requires the email address to be typed, to prevent deleting the wrong account. */
const deletionSchema = (email: string) =>
  proofBodySchema.extend({
    typed: z.string().refine((typed) => typed.trim().toLowerCase() === email.toLowerCase(), text.typed),
  });

/** Shown until the deletion is requested. Then the banner of all pages offers to keep the account. */
export function DeletionSection({ user }: { user: User }) {
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
            void clearDataInAllTabs();
            queryClient.setQueryData<User | null>(userKey, (known) => known && { ...known, deletesAt });
            // The other devices were signed out.
            void queryClient.invalidateQueries({ queryKey: sessionsKey });
            showToast(text.requested(formatTime(deletesAt)));
          }}
          onCancel={() => setIsOpen(false)}
        />
      </Dialog>
    </AccountSection>
  );
}
