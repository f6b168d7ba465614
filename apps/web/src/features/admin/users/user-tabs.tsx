import { useQuery } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import type { Permission } from '@uprez/contracts/policy/admin/permissions';
import { type ColumnOf, tables } from '@uprez/contracts/policy/admin/tables';
import type { JobStatus } from '@uprez/contracts/policy/job-status';
import type {
  AdminRejectedImage,
  AdminUser,
  AdminUserEvent,
  AdminUserJob,
  AdminUserKey,
  AdminUserSession,
} from '@uprez/contracts/schemas/admin/users';
import type { User } from '@uprez/contracts/schemas/user';
import { describeDevice } from '@uprez/contracts/texts/admin/describe-device';
import { formatCount } from '@uprez/contracts/texts/format';
import type { ComponentProps, ReactNode } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { buttonStyle } from '../../../ui/controls/button.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Tabs } from '../../../ui/layout/tabs.tsx';
import { LedgerTable } from '../../../ui/ledger/ledger-table.tsx';
import { adminApi } from '../admin-api.ts';
import { findSubjectLink } from '../audit/audit-entry.tsx';
import { AuditTable } from '../audit/audit-page.tsx';
import { jobPath, toJobsPath } from '../jobs/links.ts';
import { adminMessages } from '../messages.ts';
import { TimeCell } from '../payments/cells.tsx';
import { DataTable } from '../table/data-table.tsx';
import { PagedList, PageFooter, usePages } from '../table/paged-list.tsx';
import { type Column, useTable } from '../table/use-table.ts';
import { userMessages } from './messages.ts';
import { OverviewTab } from './overview-tab.tsx';
import { PaymentsTab } from './payments-tab.tsx';
import { type PlainColumn, QueryTable } from './plain-table.tsx';
import { userKeyOf } from './queries.ts';

const text = userMessages.detail;

type Tab = keyof typeof text.tabs;

const tabs: { value: Tab; permission: Permission; content: (user: AdminUser) => ReactNode }[] = [
  { value: 'overview', permission: 'users.read', content: (user) => <OverviewTab user={user} /> },
  { value: 'history', permission: 'users.read', content: ({ id }) => <HistoryTab userId={id} /> },
  { value: 'jobs', permission: 'jobs.read', content: ({ id }) => <JobsTab userId={id} /> },
  { value: 'ledger', permission: 'users.read', content: ({ id }) => <LedgerTab userId={id} /> },
  { value: 'keys', permission: 'keys.manage', content: ({ id }) => <KeysTab userId={id} /> },
  { value: 'devices', permission: 'users.read', content: ({ id }) => <DevicesTab userId={id} /> },
  { value: 'payments', permission: 'payments.read', content: ({ id }) => <PaymentsTab userId={id} /> },
  { value: 'audit', permission: 'logs.read', content: ({ id }) => <AuditTable account={id} /> },
];

export function UserTabs({ user, own }: { user: AdminUser; own: User }) {
  const [params, setParams] = useSearchParams();
  const shown = tabs.filter(({ permission }) => own.permissions.includes(permission));
  const current = shown.find(({ value }) => value === params.get('tab'))?.value ?? 'overview';
  // Drops all other parameters, because each tab has its own filters.
  const choose = (tab: Tab) => {
    if (tab !== current) setParams(tab === 'overview' ? {} : { tab }, { replace: true, preventScrollReset: true });
  };
  return (
    <Tabs
      label={text.tabsLabel}
      value={current}
      onChange={choose}
      tabs={shown.map(({ value, content }) => ({ value, label: text.tabs[value], content: content(user) }))}
    />
  );
}

const { jobs, rejected: rejectedImagesText } = userMessages;

const rejectedImagesColumns: PlainColumn<AdminRejectedImage>[] = [
  { name: jobs.file, cell: ({ filename }) => filename || rejectedImagesText.noName },
  {
    name: rejectedImagesText.reason,
    cell: ({ error }) => (
      <span className="grid">
        {error.message}
        <code className="text-muted text-xs">{error.code}</code>
      </span>
    ),
  },
  { name: rejectedImagesText.surface, cell: ({ surface }) => jobs.surfaces[surface] },
  { name: rejectedImagesText.at, cell: ({ createdAt }) => <TimeCell at={createdAt} /> },
];

/** Lists the user's latest images that were rejected before they became jobs, with the reasons. */
function RejectedImages({ userId }: { userId: string }) {
  const query = useQuery<AdminRejectedImage[]>({
    queryKey: userKeyOf(userId, 'rejected-images'),
    refetchOnMount: 'always',
  });
  return (
    <Card title={rejectedImagesText.title}>
      <QueryTable
        query={query}
        skeleton={<Skeleton className="h-32 rounded-card" />}
        empty={<EmptyState {...rejectedImagesText.empty} />}
        caption={rejectedImagesText.title}
        columns={rejectedImagesColumns}
        rowKey={({ id }) => id}
      />
    </Card>
  );
}

const jobsText = userMessages.jobs;

const kinds: Record<JobStatus, ComponentProps<typeof Badge>['kind']> = {
  queued: 'warning',
  processing: 'warning',
  completed: 'success',
  failed: 'danger',
  cancelled: 'neutral',
  expired: 'neutral',
};

const ErrorCell = ({ error }: Pick<AdminUserJob, 'error'>) =>
  error && (
    <span className="grid">
      <code className="text-xs">{error.code}</code>
      <span className="text-muted text-xs">{error.message}</span>
    </span>
  );

const jobsColumns: Column<AdminUserJob, ColumnOf<'userJobs'>>[] = [
  {
    id: 'file',
    name: jobsText.file,
    cell: ({ filename, id }) => (
      <span className="grid">
        <Link to={jobPath(id)} className="font-medium hover:underline">
          {filename}
        </Link>
        <code className="text-muted text-xs">{id}</code>
      </span>
    ),
  },
  {
    id: 'status',
    name: jobsText.status,
    cell: ({ status }) => <Badge kind={kinds[status]}>{adminMessages.table.statuses[status]}</Badge>,
  },
  { id: 'engine', name: jobsText.engine, cell: ({ engine, surface }) => `${engine}, ${jobsText.surfaces[surface]}` },
  { id: 'error', name: jobsText.error, cell: (job) => <ErrorCell error={job.error} /> },
  { id: 'charged', name: jobsText.charged, cell: ({ credits }) => jobsText.credits(credits), isNumeric: true },
  { id: 'created', name: jobsText.created, cell: ({ createdAt }) => <TimeCell at={createdAt} />, sort: 'created' },
];

/** Lists a user's jobs. Doesn't show their images. */
function JobsTab({ userId }: { userId: string }) {
  const navigate = useNavigate();
  const params = { id: userId };
  const table = useTable(tables.userJobs, {
    params,
    load: (request) => adminApi.adminListUserJobs({ params, ...request }),
  });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <DataTable
        text={jobsText}
        table={table}
        columns={jobsColumns}
        filters={
          <Link to={toJobsPath({ account: userId })} className={buttonStyle({ look: 'secondary' })}>
            {jobsText.all}
          </Link>
        }
        onOpen={({ id }) => void navigate(jobPath(id))}
      />
      <RejectedImages userId={userId} />
    </div>
  );
}

const historyText = userMessages.history;

function Event({ event: { at, title, detail, by, subject } }: { event: AdminUserEvent }) {
  const link = subject.kind === 'user' ? undefined : findSubjectLink(subject);
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
        {by && <span className="text-muted text-xs">{historyText.by(by)}</span>}
      </span>
    </li>
  );
}

function HistoryTab({ userId: id }: { userId: string }) {
  const params = { id };
  const query = usePages(userKeyOf(id, 'history'), (request) => adminApi.adminListUserHistory({ params, ...request }));
  return (
    <Card title={historyText.title}>
      <QueryView
        query={query}
        skeleton={<Skeleton className="h-48 rounded-card" />}
        isEmpty={({ pages }) => pages.every(({ rows }) => rows.length === 0)}
        empty={<EmptyState {...historyText.empty} />}
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

const keysText = userMessages.keys;

function StateBadge({ isActive, isExpired }: Pick<AdminUserKey, 'isActive' | 'isExpired'>) {
  if (isExpired) return <Badge kind="neutral">{keysText.states.expired}</Badge>;
  return (
    <Badge kind={isActive ? 'success' : 'neutral'}>{isActive ? keysText.states.active : keysText.states.off}</Badge>
  );
}

const keysColumns: PlainColumn<AdminUserKey>[] = [
  {
    name: keysText.key,
    cell: ({ name, keyPreview, kind }) => (
      <span className="grid">
        <span className="font-medium">{name}</span>
        <code className="text-muted text-xs">{keyPreview}</code>
        {kind === 'test' && <span className="text-muted text-xs">{keysText.test}</span>}
      </span>
    ),
  },
  { name: keysText.status, cell: (key) => <StateBadge {...key} /> },
  { name: keysText.scopes, cell: ({ scopes }) => scopes.join(', ') },
  { name: keysText.calls, cell: ({ usageCount }) => formatCount(usageCount) },
  { name: keysText.lastUsed, cell: ({ lastUsed }) => (lastUsed ? <TimeCell at={lastUsed} /> : keysText.never) },
  { name: keysText.created, cell: ({ createdAt }) => <TimeCell at={createdAt} /> },
];

function KeysTab({ userId }: { userId: string }) {
  const query = useQuery<AdminUserKey[]>({ queryKey: userKeyOf(userId, 'keys'), refetchOnMount: 'always' });
  return (
    <QueryTable
      query={query}
      skeleton={<Skeleton className="h-48 rounded-card" />}
      empty={<EmptyState {...keysText.empty} />}
      caption={keysText.caption}
      columns={keysColumns}
      rowKey={({ id }) => id}
    />
  );
}

const devicesText = userMessages.devices;

const columns: PlainColumn<AdminUserSession>[] = [
  {
    name: devicesText.device,
    cell: ({ userAgent }) => <span className="font-medium">{describeDevice(userAgent)}</span>,
  },
  {
    name: devicesText.address,
    cell: ({ address }) => address ?? <span className="text-muted">{devicesText.hidden}</span>,
  },
  { name: devicesText.lastSeen, cell: ({ lastSeenAt }) => <TimeCell at={lastSeenAt} /> },
  { name: devicesText.signedIn, cell: ({ createdAt }) => <TimeCell at={createdAt} /> },
];

function DevicesTab({ userId }: { userId: string }) {
  const query = useQuery<AdminUserSession[]>({ queryKey: userKeyOf(userId, 'sessions'), refetchOnMount: 'always' });
  return (
    <QueryTable
      query={query}
      skeleton={<Skeleton className="h-48 rounded-card" />}
      empty={<EmptyState {...devicesText.empty} />}
      caption={devicesText.caption}
      columns={columns}
      rowKey={({ id }) => id}
    />
  );
}

function LedgerTab({ userId: id }: { userId: string }) {
  const params = { id };
  const query = usePages(userKeyOf(id, 'ledger'), (request) => adminApi.adminListLedger({ params, ...request }));
  const empty = <EmptyState {...userMessages.ledger.empty} />;
  return (
    <div className="grid gap-4">
      <PagedList query={query} exports={adminRoutes.adminExportLedger} params={params} empty={empty}>
        {(rows) => <LedgerTable rows={rows} />}
      </PagedList>
    </div>
  );
}
