import { useQuery } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { limits } from '@uprez/contracts/policy/limits';
import type { AccountView, SessionView } from '@uprez/contracts/schemas/account';
import { describeDevice } from '@uprez/contracts/texts/admin/describe-device';
import { api } from '../../lib/api/api.ts';
import { useResourceMutation } from '../../lib/api/use-resource-mutation.ts';
import { formatDateTime } from '../../lib/format/format.ts';
import { useFocusFallback } from '../../lib/layout/focus.ts';
import { confirmSignOut } from '../../lib/session/confirm-sign-out.ts';
import { endSession } from '../../lib/session/session-lifecycle.ts';
import { Button } from '../../ui/controls/button.tsx';
import { QueryError } from '../../ui/feedback/query-view.tsx';
import { AccountList, AccountListRow, AccountSection, sessionsKey, useSessions } from './account-section.tsx';
import { accountMessages } from './messages.ts';

const text = accountMessages.devices;

/** Lists the user's sessions. The current one has no button here, because signing out is in the navigation bar. */
export function DevicesSection() {
  const sessions = useSessions();
  const endOne = useResourceMutation({
    call: (id: string) => api.endSession({ params: { id } }),
    // Refetches the sessions even after an error, because the session may have expired.
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

function DeviceRow({ session, isEnding, onEnd }: { session: SessionView; isEnding: boolean; onEnd: () => void }) {
  const name = describeDevice(session.userAgent);
  const { isCurrent, address, lastSeenAt } = session;
  return (
    <AccountListRow
      title={name}
      facts={(isCurrent ? [text.current, address] : [address, text.lastSeen(formatDateTime(lastSeenAt))]).join(' · ')}
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

function SupportView({ view: { startedAt, endsAt } }: { view: AccountView }) {
  const isOpen = Date.parse(endsAt) > Date.now();
  const [start, end] = [formatDateTime(startedAt), formatDateTime(endsAt)];
  return (
    <AccountListRow
      title={isOpen ? text.viewing : text.view}
      facts={isOpen ? text.viewingUntil(start, end) : text.viewed(start, end)}
      action={null}
    />
  );
}

/** Hidden if there are no views, because most accounts have none. */
function SupportViews() {
  const query = useQuery<AccountView[]>({ queryKey: [apiRoutes.listViews.path], gcTime: 0 });
  const { data: views = [] } = query;
  if (views.length === 0) return <QueryError query={query} />;
  return (
    <section aria-label={text.views} className="grid gap-2">
      <h3 className="font-medium text-sm">{text.views}</h3>
      <p className="text-muted text-sm">{text.viewsText(limits.viewDays)}</p>
      <ul aria-label={text.views} className="divide-y divide-line border-line border-y">
        {views.map((view) => (
          <SupportView key={view.id} view={view} />
        ))}
      </ul>
    </section>
  );
}
