import type { User } from '@uprez/contracts/schemas/user';
import { useMemo } from 'react';
import { accountSectionIds, useSessions } from '../features/account/account-section.tsx';
import { EmailSection, PasswordSection } from '../features/account/credential-sections.tsx';
import { DataSection } from '../features/account/data-section.tsx';
import { DeletionSection } from '../features/account/deletion-section.tsx';
import { DevicesSection } from '../features/account/devices-section.tsx';
import { accountMessages } from '../features/account/messages.ts';
import { PasskeysSection } from '../features/account/passkeys-section.tsx';
import { PlanSection } from '../features/account/plan-section.tsx';
import { ProfileSection } from '../features/account/profile-section.tsx';
import { TwoFactorSection } from '../features/account/two-factor/two-factor-section.tsx';
import { hasErrorCode } from '../lib/api/api-errors.ts';
import { messages } from '../messages.ts';
import { paths } from '../site-map.ts';
import { QueryView } from '../ui/feedback/query-view.tsx';
import { Outline } from '../ui/layout/outline.tsx';
import { PageHeading } from '../ui/layout/page-heading.tsx';
import { StepUpDialog } from '../ui/overlays/step-up-dialog.tsx';

/** The account page. During maintenance, only the error is shown, because no section would work. */
export function AccountPage({ user }: { user: User }) {
  const sessions = useSessions();
  const isLeaving = user.deletesAt !== null;
  const entries = useMemo(() => {
    const ids = accountSectionIds.filter((id) => id !== 'delete' || !isLeaving);
    return ids.map((id) => ({ id, label: accountMessages.parts[id] }));
  }, [isLeaving]);
  return (
    <div className="mx-auto grid w-full max-w-160 grid-cols-[minmax(0,1fr)] gap-6 px-4 py-10 sm:px-6 md:py-16 lg:max-w-220">
      <PageHeading title={messages.page.account} className="text-xl">
        {accountMessages.title}
      </PageHeading>
      {hasErrorCode(sessions.error, 'maintenance') ? (
        <QueryView query={sessions} skeleton={null}>
          {() => null}
        </QueryView>
      ) : (
        <div className="grid items-start gap-x-10 lg:grid-cols-[13rem_minmax(0,1fr)]">
          <Outline entries={entries} className="sticky top-20" linkStyle="control rounded-control px-3 hover:bg-sunken">
            <a
              href={paths.billing}
              className="control mt-2 flex items-center rounded-control border border-line px-3 text-sm hover:bg-sunken"
            >
              {messages.navigation.billing}
            </a>
          </Outline>
          <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
            <ProfileSection user={user} />
            <EmailSection user={user} />
            <PasswordSection user={user} />
            <TwoFactorSection user={user} />
            <PasskeysSection user={user} />
            <DevicesSection />
            <PlanSection user={user} />
            <DataSection user={user} />
            {!user.deletesAt && <DeletionSection user={user} />}
          </div>
        </div>
      )}
      <StepUpDialog user={user} />
    </div>
  );
}
