import type { SessionView } from '@uprez/contracts/schemas/account';
import { describeDevice } from '@uprez/contracts/texts/describe-device';
import { formatTime } from '../../lib/format/format.ts';
import { useFocusFallback } from '../../lib/layout/use-focus-fallback.ts';
import { Button } from '../../ui/controls/button.tsx';
import { sessionsKey } from './account-keys.ts';
import { AccountList, AccountListRow } from './account-list.tsx';
import { AccountSection } from './account-section.tsx';
import { accountMessages } from './messages.ts';
import { useAccountList } from './use-account-list.ts';
import { useEndSessions } from './use-end-sessions.ts';

const text = accountMessages.devices;

type DeviceRowProps = { session: SessionView; isEnding: boolean; onEnd: () => void };

function DeviceRow({ session, isEnding, onEnd }: DeviceRowProps) {
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
