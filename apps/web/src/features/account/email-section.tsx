import type { User } from '@uprez/contracts/user';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { accountMessages } from '../../messages/account.ts';
import { Button } from '../../ui/button.tsx';
import { AccountSection } from './account-section.tsx';

const text = accountMessages.email;

type EmailSectionProps = {
  user: User;
  /** Has the link sent again that confirms the address. */
  resend: { isPending: boolean; mutate: () => void };
};

/** The address, and whether it is known to be the user's. */
export function EmailSection({ user, resend }: EmailSectionProps) {
  const Icon = user.emailVerified ? CircleCheck : CircleAlert;
  return (
    <AccountSection title={accountMessages.parts.email}>
      <div className="text-sm">
        <p className="wrap-anywhere">{user.email}</p>
        <p className="mt-1 flex items-center gap-1.5 text-muted">
          <Icon
            aria-hidden="true"
            strokeWidth={1.75}
            className={`size-4 shrink-0 ${user.emailVerified ? 'text-success' : 'text-warning'}`}
          />
          {user.emailVerified ? text.confirmed : text.unconfirmed}
        </p>
      </div>
      {!user.emailVerified && (
        <Button
          look="secondary"
          className="justify-self-start"
          disabled={resend.isPending}
          onClick={() => resend.mutate()}
        >
          {text.resend}
        </Button>
      )}
    </AccountSection>
  );
}
