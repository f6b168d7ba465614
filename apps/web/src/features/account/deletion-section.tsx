import { useQueryClient } from '@tanstack/react-query';
import { limits } from '@uprez/contracts/policy/limits';
import type { User } from '@uprez/contracts/schemas/user';
import { useState } from 'react';
import { api } from '../../lib/api/api.ts';
import { userKey } from '../../lib/api/user-key.ts';
import { formText } from '../../lib/forms/form-text.ts';
import { forgetImages } from '../../lib/session/account-end.ts';
import { uiMessages } from '../../messages/ui.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { sessionsKey } from './account-keys.ts';
import { AccountSection } from './account-section.tsx';
import { accountMessages } from './messages.ts';
import { ProofForm } from './proof-form.tsx';

const text = accountMessages.deletion;

/** Only who types the address knows which account goes. */
const checkTyped = (email: string) => (form: FormData) =>
  formText(form, 'typed').trim().toLowerCase() === email.toLowerCase()
    ? undefined
    : { field: 'typed', title: text.failed, description: text.typed };

type DeletionSectionProps = { user: User /** Before the notice of it appears. */; onAsked: () => void };

/** Letting the account end. */
export function DeletionSection({ user, onAsked }: DeletionSectionProps) {
  const queryClient = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <AccountSection part="delete" danger>
      <p className="text-muted text-sm">{text.text(limits.deletionDays)}</p>
      <Button look="danger" className="justify-self-start" onClick={() => setIsOpen(true)}>
        {text.open}
      </Button>
      <Dialog open={isOpen} onOpenChange={setIsOpen} title={text.ask} description={text.text(limits.deletionDays)}>
        <ProofForm
          user={user}
          text={text}
          look="danger"
          check={checkTyped(user.email)}
          fields={(errors) => (
            <TextField
              label={uiMessages.typeToConfirm(user.email)}
              name="typed"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              required
              error={errors.typed}
            />
          )}
          send={async (body) => (await api.deleteAccount({ body })).data}
          onDone={({ deletesAt }) => {
            setIsOpen(false);
            onAsked();
            void forgetImages();
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
