import { useQueryClient } from '@tanstack/react-query';
import { limits } from '@uprez/contracts/limits';
import type { User } from '@uprez/contracts/user';
import { api } from '../../lib/api.ts';
import { userKey } from '../../lib/user-key.ts';
import { accountMessages } from '../../messages/account.ts';
import { sessionsKey } from './account-keys.ts';
import { AccountSection } from './account-section.tsx';
import type { Proof } from './proof-form.tsx';
import { ProvenAction } from './proven-action.tsx';

const text = accountMessages.deletion;

/** Letting the account end. `onAsked`: before the notice of it appears. */
export function DeletionSection({ user, onAsked }: { user: User; onAsked: () => void }) {
  const queryClient = useQueryClient();
  return (
    <AccountSection title={text.title}>
      <p className="text-muted text-sm">{text.text(limits.deletionDays)}</p>
      <ProvenAction
        user={user}
        text={text}
        send={async (body: Proof) => (await api.deleteAccount({ body })).data}
        onDone={({ deletesAt }) => {
          onAsked();
          queryClient.setQueryData<User | null>(userKey, (known) => known && { ...known, deletesAt });
          // The other devices were signed out.
          void queryClient.invalidateQueries({ queryKey: sessionsKey });
        }}
      />
    </AccountSection>
  );
}
