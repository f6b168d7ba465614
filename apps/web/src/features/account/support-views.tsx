import { useQuery } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { limits } from '@uprez/contracts/policy/limits';
import type { AccountView } from '@uprez/contracts/schemas/account';
import { formatTime } from '../../lib/format/format.ts';
import { QueryError } from '../../ui/feedback/query-error.tsx';
import { AccountListRow } from './account-section.tsx';
import { accountMessages } from './messages.ts';

const text = accountMessages.devices;

function SupportView({ view: { startedAt, endsAt } }: { view: AccountView }) {
  const isOpen = Date.parse(endsAt) > Date.now();
  const [start, end] = [formatTime(startedAt), formatTime(endsAt)];
  return (
    <AccountListRow
      title={isOpen ? text.viewing : text.view}
      facts={isOpen ? text.viewingUntil(start, end) : text.viewed(start, end)}
      action={null}
    />
  );
}

/** When support viewed the account. Hidden without views: most accounts have none. */
export function SupportViews() {
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
