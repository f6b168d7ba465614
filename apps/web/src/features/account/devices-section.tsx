import type { SessionView } from '@uprez/contracts/schemas/account';
import { describeDevice } from '@uprez/contracts/texts/describe-device';
import { api } from '../../lib/api/api.ts';
import { useResourceMutation } from '../../lib/api/use-resource-mutation.ts';
import { formatTime } from '../../lib/format/format.ts';
import { useFocusFallback } from '../../lib/layout/use-focus-fallback.ts';
import { confirmSignOut } from '../../lib/session/confirm-sign-out.ts';
import { endSession } from '../../lib/session/session-lifecycle.ts';
import { Button } from '../../ui/controls/button.tsx';
import { AccountList, AccountListRow, AccountSection, sessionsKey, useSessions } from './account-section.tsx';
import { accountMessages } from './messages.ts';
import { SupportViews } from './support-views.tsx';

const text = accountMessages.devices;

function DeviceRow({ session, isEnding, onEnd }: { session: SessionView; isEnding: boolean; onEnd: () => void }) {
  const name = describeDevice(session.userAgent);
  const { isCurrent, address, lastSeenAt } = session;
  return (
    <AccountListRow
      title={name}
      facts={(isCurrent ? [text.current, address] : [address, text.lastSeen(formatTime(lastSeenAt))]).join(' · ')}
      action={
        !isCurrent && (
          <Button look="secondary" aria-label={text.signOutOf(name)} pending={isEnding} onClick={onEnd}>
            {text.signOut}
          </Button>
        )
      }
    />
  );
}

/** The sessions of the user. This browser signs out in the navigation bar instead. */
export function DevicesSection() {
  const sessions = useSessions();
  const endOne = useResourceMutation({
    call: (id: string) => api.endSession({ params: { id } }),
    // Also after an error: the session may have expired.
    invalidates: [sessionsKey],
    errorTitle: text.failed,
  });
  const endAll = useResourceMutation({
    call: () => api.endSessions(),
    onSuccess: endSession,
    errorTitle: text.failed,
  });
  const list = useFocusFallback<HTMLDivElement>(String(sessions.data?.length));
  return (
    <AccountSection part="devices">
      <div ref={list} tabIndex={-1} className="outline-none">
        <AccountList query={sessions} label={text.list}>
          {(session) => (
            <DeviceRow
              key={session.id}
              session={session}
              isEnding={endOne.isPending && endOne.variables === session.id}
              onEnd={() => endOne.mutate(session.id)}
            />
          )}
        </AccountList>
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button look="secondary" pending={endAll.isPending} onClick={() => confirmSignOut(endAll.mutate)}>
          {text.signOutEverywhere}
        </Button>
        <p className="text-muted text-sm">{text.everywhere}</p>
      </div>
      <SupportViews />
    </AccountSection>
  );
}
