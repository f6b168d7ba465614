import type { User } from '@uprez/contracts/user';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { messages } from '../../messages.ts';
import { Button } from '../../ui/button.tsx';
import { useVerification } from '../session/use-verification.ts';
import { AccountSection } from './account-section.tsx';

const text = messages.account.email;

/** The address, and whether it is known to be the user's. */
export function EmailSection({ user }: { user: User }) {
  const { resend } = useVerification();
  const Icon = user.emailVerified ? CircleCheck : CircleAlert;
  return (
    <AccountSection title={text.title}>
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
