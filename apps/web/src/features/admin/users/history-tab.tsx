import type { AdminUserEvent } from '@uprez/contracts/schemas/admin-user-details';
import { Link } from 'react-router';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { adminApi } from '../admin-api.ts';
import { subjectLink } from '../audit/subject-link.ts';
import { TimeCell } from '../payments/cells.tsx';
import { PageFooter } from '../table/page-footer.tsx';
import { usePages } from '../table/use-pages.ts';
import { userMessages } from './messages.ts';
import { userKeyOf } from './queries.ts';

const text = userMessages.history;

function Event({ event: { at, title, detail, by, subject } }: { event: AdminUserEvent }) {
  const link = subject.kind === 'user' ? undefined : subjectLink(subject);
  return (
    <li className="grid gap-x-6 gap-y-1 py-3 sm:grid-cols-[10rem_minmax(0,1fr)]">
      <span className="text-muted text-sm">
        <TimeCell at={at} />
      </span>
      <span className="grid min-w-0 gap-0.5 wrap-anywhere">
        {link ? (
          <Link to={link} className="font-medium underline decoration-line underline-offset-4 hover:decoration-current">
            {title}
          </Link>
        ) : (
          <span className="font-medium">{title}</span>
        )}
        {detail && <span className="whitespace-pre-line text-muted text-sm">{detail}</span>}
        {by && <span className="text-muted text-xs">{text.by(by)}</span>}
      </span>
    </li>
  );
}

/** Everything that happened to a user, the latest first. */
export function HistoryTab({ userId: id }: { userId: string }) {
  const params = { id };
  const query = usePages(userKeyOf(id, 'history'), (request) => adminApi.adminListUserHistory({ params, ...request }));
  return (
    <Card title={text.title}>
      <QueryView
        query={query}
        skeleton={<Skeleton className="h-48 rounded-card" />}
        isEmpty={({ pages }) => pages.every(({ rows }) => rows.length === 0)}
        empty={<EmptyState {...text.empty} />}
      >
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.rows);
          return (
            <>
              <ol className="divide-y divide-line">
                {rows.map((event) => (
                  <Event key={event.id} event={event} />
                ))}
              </ol>
              <PageFooter query={query} shown={rows.length} total={Math.max(pages[0]?.total ?? 0, rows.length)} />
            </>
          );
        }}
      </QueryView>
    </Card>
  );
}
