import type { SessionView } from '@uprez/contracts/schemas/account';
import { describeDevice } from '@uprez/contracts/texts/describe-device';
import { api } from '../../lib/api/api.ts';
import { useResourceMutation } from '../../lib/api/use-resource-mutation.ts';
import { formatTime } from '../../lib/format/format.ts';
import { useFocusFallback } from '../../lib/layout/use-focus-fallback.ts';
import { confirmSignOut } from '../../lib/session/confirm-sign-out.ts';
import { endSession } from '../../lib/session/session-lifecycle.ts';
import { Button } from '../../ui/controls/button.tsx';
import { AccountList, AccountListRow, sessionsKey, useAccountList } from './account-list.tsx';
import { AccountSection } from './account-section.tsx';
import { accountMessages } from './messages.ts';

const errorTitle = accountMessages.devices.failed;

/** Ends one session by its id, or all of them. The latter also signs out this browser. */
function useEndSessions() {
  const endOne = useResourceMutation({
    call: async (id: string) => {
      await api.endSession({ params: { id } });
    },
    // Also after an error: the session may have expired.
    invalidates: [sessionsKey],
    errorTitle,
  });
  const endAll = useResourceMutation({
    call: async () => {
      await api.endSessions();
    },
    onSuccess: endSession,
    errorTitle,
  });
  return { endOne, endAll, signOutEverywhere: () => confirmSignOut(endAll.mutate) };
}

const text = accountMessages.devices;

function DeviceRow({ session, isEnding, onEnd }: { session: SessionView; isEnding: boolean; onEnd: () => void }) {
  const name = describeDevice(session.userAgent);
  const facts = [
    session.isCurrent && text.current,
    session.address,
    !session.isCurrent && text.lastSeen(formatTime(session.lastSeenAt)),
  ];
  return (
    <AccountListRow
      title={name}
      facts={facts.filter(Boolean).join(' · ')}
      action={
        !session.isCurrent && (
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
  const sessions = useAccountList<SessionView>({ queryKey: sessionsKey });
  const { endOne, endAll, signOutEverywhere } = useEndSessions();
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
        <Button look="secondary" pending={endAll.isPending} onClick={() => signOutEverywhere()}>
          {text.signOutEverywhere}
        </Button>
        <p className="text-muted text-sm">{text.everywhere}</p>
      </div>
    </AccountSection>
  );
}
