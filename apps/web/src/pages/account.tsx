import type { SessionView } from '@uprez/contracts/account';
import type { User } from '@uprez/contracts/user';
import { useState } from 'react';
import { Navigate } from 'react-router';
import { sessionsKey } from '../features/account/account-keys.ts';
import { DataSection } from '../features/account/data-section.tsx';
import { DeletionNotice } from '../features/account/deletion-notice.tsx';
import { DeletionSection } from '../features/account/deletion-section.tsx';
import { DevicesSection } from '../features/account/devices-section.tsx';
import { EmailSection } from '../features/account/email-section.tsx';
import { OwnList } from '../features/account/own-list.tsx';
import { useOwnList } from '../features/account/use-own-list.ts';
import { useAuth } from '../features/session/auth-context.ts';
import { useVerification } from '../features/session/use-verification.ts';
import { hasCode } from '../lib/has-code.ts';
import { accountMessages } from '../messages/account.ts';
import { messages } from '../messages.ts';
import { paths } from '../site-map.ts';
import { PageHeading } from '../ui/page-heading.tsx';

function Sections({ user }: { user: User }) {
  const { resend } = useVerification();
  const [hasAsked, setHasAsked] = useState(false);
  return (
    <>
      {user.deletesAt && <DeletionNotice deletesAt={user.deletesAt} isNew={hasAsked} />}
      <EmailSection user={user} resend={resend} />
      <DataSection user={user} />
      <DevicesSection />
      {!user.deletesAt && <DeletionSection user={user} onAsked={() => setHasAsked(true)} />}
    </>
  );
}

/** All of it; while the site is being maintained that alone, said once, for nothing else would work. */
function Body({ user }: { user: User }) {
  const sessions = useOwnList<SessionView>({ queryKey: sessionsKey });
  if (!hasCode(sessions.error, 'maintenance')) return <Sections user={user} />;
  return (
    <OwnList query={sessions} label={accountMessages.devices.list}>
      {() => null}
    </OwnList>
  );
}

/** What a user sees and decides of the own account. Mails lead here, so a visitor signs in and comes back. */
export function AccountPage() {
  const { user } = useAuth();
  if (!user) return <Navigate to={`${paths.auth}?next=${paths.account}`} replace />;
  return (
    <div className="mx-auto grid w-full max-w-160 grid-cols-[minmax(0,1fr)] gap-5 px-4 py-10 sm:px-6 md:py-16">
      <PageHeading title={messages.page.account} className="text-xl">
        {accountMessages.title}
      </PageHeading>
      <Body user={user} />
    </div>
  );
}
