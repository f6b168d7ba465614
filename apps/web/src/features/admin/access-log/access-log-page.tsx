import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { type AnomalyState, accessLogLimits, anomalyStates } from '@uprez/contracts/policy/admin/logs';
import { type ColumnOf, tables } from '@uprez/contracts/policy/admin/tables';
import { type AccessEventView, type Anomaly, acknowledgeBodySchema } from '@uprez/contracts/schemas/admin/logs';
import { accessFilterNames, accessKindNames, describeAnomaly } from '@uprez/contracts/texts/admin/access-log';
import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';
import { describeDevice } from '@uprez/contracts/texts/admin/describe-device';
import { pluralize } from '@uprez/contracts/texts/format';
import { type ReactNode, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { formatDateTime } from '../../../lib/format/format.ts';
import { Button, buttonStyle } from '../../../ui/controls/button.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { FormCallDialog } from '../../../ui/overlays/call-dialog.tsx';
import { adminApi } from '../admin-api.ts';
import { AdminPage } from '../frame/admin-page.tsx';
import { SecurityTabs } from '../frame/page-tabs.tsx';
import { useHasPermission } from '../frame/use-own-user.ts';
import { UserLink } from '../frame/user-link.tsx';
import { TimeCell } from '../payments/cells.tsx';
import { ChosenFilters } from '../table/chosen-filters.tsx';
import { DataTable } from '../table/data-table.tsx';
import { PageFooter, usePages } from '../table/paged-list.tsx';
import { type Column, type Table, useTable } from '../table/use-table.ts';

const text = {
  title: 'Access Logs',
  subtitle: `Sign-ins, failed attempts, and changes of the last ${accessLogLimits.days} days`,
  caption: 'Access log',
  search: 'Search people, paths, IP addresses',
  kinds: { kind: { label: 'Event', all: 'Security events', names: accessFilterNames } },
  event: 'Event',
  account: 'Account',
  address: 'IP address',
  request: 'Request',
  status: 'Status',
  time: 'Time',
  requests: (count: number) => pluralize(count, 'request'),
  read: 'Administrator read',
  change: 'Administrator change',
  nobody: 'Unknown account',
  by: 'by',
  key: (name: string) => `API key "${name}"`,
  keyDeleted: 'deleted',
  showAddress: (address: string) => `Show events from ${address}`,
  showKey: (name: string) => `Show events of the API key "${name}"`,
  filters: {
    user: (name: string) => `Account: ${name}`,
    address: (address: string) => `IP address: ${address}`,
    key: (name: string) => `API key: ${name}`,
  },
  empty: { title: 'No events yet', text: 'Events appear here when people sign in.' },
  anomalies: {
    title: 'Unusual activity',
    states: { open: 'Open', acknowledged: 'Acknowledged' },
    state: 'State',
    none: { open: 'Nothing unusual to review.', acknowledged: 'Nothing was acknowledged yet.' },
    found: (time: string) => `Found ${time}`,
    showEvents: 'Show events',
    showEventsOf: (sentence: string) => `Show events: ${sentence}`,
    acknowledge: 'Acknowledge',
    acknowledgeOf: (sentence: string) => `Acknowledge: ${sentence}`,
    acknowledgedBy: (name: string, time: string) => `Acknowledged by ${name} on ${time}`,
    deleted: 'a deleted administrator',
  },
  dialog: {
    title: 'Acknowledge unusual activity',
    note: 'Note',
    noteHint: 'What you checked and what you did. Other administrators see this note.',
    submit: 'Acknowledge',
    pending: 'Acknowledging...',
    done: 'Acknowledged',
  },
} as const;

const columns: Column<AccessEventView, ColumnOf<'accessLog'>>[] = [
  { id: 'event', name: text.event, cell: (row) => <EventCell row={row} /> },
  { id: 'account', name: text.account, cell: (row) => <AccountCell row={row} /> },
  { id: 'address', name: text.address, cell: (row) => <AddressCell row={row} /> },
  { id: 'request', name: text.request, cell: (row) => <RequestCell row={row} /> },
  { id: 'status', name: text.status, cell: (row) => <StatusCodeCell row={row} /> },
  { id: 'at', name: text.time, cell: ({ at }) => <TimeCell at={at} />, sort: 'at' },
];

/** Lists security events, and the anomalies that rules have detected in them. */
export function AccessLogPage() {
  const navigate = useNavigate();
  const table = useTable(tables.accessLog, {
    load: adminApi.adminListAccessLog,
    values: ['user', 'address', 'key', 'from', 'to'],
  });
  const open = ({ user, staff, address }: AccessEventView) => {
    const person = user ?? staff;
    void navigate(person ? toAccessLogPath({ user: person.id }) : toAccessLogPath({ address }));
  };
  return (
    <AdminPage title={text.title} subtitle={text.subtitle}>
      <SecurityTabs />
      <AnomaliesCard />
      <DataTable
        text={text}
        filterTexts={text.kinds}
        filters={<AccessFilters table={table} />}
        table={table}
        columns={columns}
        onOpen={open}
      />
    </AdminPage>
  );
}

const { filters: accessText } = text;

const findEmailOf = ({ user, staff }: AccessEventView, id: string) =>
  [user, staff].find((one) => one?.id === id)?.email;

/**
 * Filters events by day. Also filters them by the account, IP address, or API key that the administrator chose in a
 * row.
 */
function AccessFilters({ table }: { table: Table<AccessEventView> }) {
  const { user, address, key } = table.values;
  const row = table.query.data?.pages[0]?.rows[0];
  const chosen = [
    { name: 'user', label: user && accessText.user((row && findEmailOf(row, user)) ?? user) },
    { name: 'address', label: address && accessText.address(address) },
    { name: 'key', label: key && accessText.key(row?.key?.name ?? key) },
  ];
  return <ChosenFilters table={table} chosen={chosen} />;
}

const dialogText = text.dialog;

/**
 * Acknowledges an anomaly with a note. If another administrator has already acknowledged the anomaly, the dialog shows
 * the error and keeps the note.
 */
const AcknowledgeDialog = ({ anomaly, onClose }: { anomaly: Anomaly; onClose: () => void }) => (
  <FormCallDialog
    text={{ ...dialogText, text: describeAnomaly(anomaly) }}
    schema={acknowledgeBodySchema}
    initial={{ note: '' }}
    fields={[{ kind: 'area', name: 'note', label: dialogText.note, hint: dialogText.noteHint, required: true }]}
    call={(body) => adminApi.adminAcknowledgeAnomaly({ params: { id: anomaly.id }, body })}
    refreshes={[[adminRoutes.adminListAnomalies.path], [adminRoutes.adminAttention.path]]}
    done={dialogText.done}
    onClose={onClose}
  />
);

const anomaliesText = text.anomalies;

const stateOptions = anomalyStates.map((value) => ({ value, label: anomaliesText.states[value] }));

type ItemProps = { anomaly: Anomaly; onAcknowledge: (() => void) | undefined };

function AnomalyItem({ anomaly, onAcknowledge }: ItemProps) {
  const { foundAt, acknowledgedAt, acknowledgedBy, note } = anomaly;
  const sentence = describeAnomaly(anomaly);
  return (
    <li className="flex flex-wrap items-start justify-between gap-3 py-3 first:pt-0 last:pb-0">
      <div className="grid min-w-0 gap-1 wrap-anywhere">
        <p>{sentence}</p>
        <p className="text-muted text-xs">
          {acknowledgedAt
            ? anomaliesText.acknowledgedBy(acknowledgedBy ?? anomaliesText.deleted, formatDateTime(acknowledgedAt))
            : anomaliesText.found(formatDateTime(foundAt))}
        </p>
        {note && <p className="whitespace-pre-line text-sm">{note}</p>}
      </div>
      <div className="flex flex-wrap gap-2">
        <Link
          to={toAnomalyEventsPath(anomaly)}
          aria-label={anomaliesText.showEventsOf(sentence)}
          className={buttonStyle({ look: 'secondary', size: 'small' })}
        >
          {anomaliesText.showEvents}
        </Link>
        {onAcknowledge && (
          <Button
            look="secondary"
            size="small"
            aria-label={anomaliesText.acknowledgeOf(sentence)}
            onClick={onAcknowledge}
          >
            {anomaliesText.acknowledge}
          </Button>
        )}
      </div>
    </li>
  );
}

function AnomaliesCard() {
  const mayManage = useHasPermission('anomalies.manage');
  const [status, setStatus] = useState<AnomalyState>('open');
  const [chosen, setChosen] = useState<Anomaly>();
  const query = usePages([adminRoutes.adminListAnomalies.path, status], ({ query: page, signal }) =>
    adminApi.adminListAnomalies({ query: { ...page, status }, signal }),
  );
  return (
    <Card
      title={anomaliesText.title}
      actions={
        <div className="w-64 max-w-full">
          <Segmented
            legend={anomaliesText.state}
            legendHidden
            options={stateOptions}
            value={status}
            onChange={setStatus}
          />
        </div>
      }
    >
      <QueryView
        query={query}
        skeleton={<Skeleton className="h-12" />}
        isEmpty={({ pages }) => pages.every(({ rows }) => rows.length === 0)}
        empty={<p className="text-muted text-sm">{anomaliesText.none[status]}</p>}
      >
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.rows);
          return (
            <>
              <ul className="max-h-96 divide-y divide-line overflow-y-auto text-sm">
                {rows.map((anomaly) => (
                  <AnomalyItem
                    key={anomaly.id}
                    anomaly={anomaly}
                    onAcknowledge={mayManage && status === 'open' ? () => setChosen(anomaly) : undefined}
                  />
                ))}
              </ul>
              <PageFooter query={query} shown={rows.length} total={Math.max(pages[0]?.total ?? 0, rows.length)} />
            </>
          );
        }}
      </QueryView>
      {chosen && <AcknowledgeDialog anomaly={chosen} onClose={() => setChosen(undefined)} />}
    </Card>
  );
}

type Row = { row: AccessEventView };

const RowLink = ({ to, label, children }: { to: string; label: string; children: ReactNode }) => (
  <Link
    to={to}
    aria-label={label}
    className="rounded-control underline decoration-line underline-offset-4 hover:decoration-current"
  >
    {children}
  </Link>
);

const Note = ({ children }: { children: ReactNode }) => <span className="text-muted text-xs">{children}</span>;

const describeMethod = (method: string) => (['GET', 'HEAD'].includes(method) ? text.read : text.change);

const EventCell = ({ row: { kind, method, count } }: Row) => (
  <span className="grid">
    <span className="font-medium">{kind === 'admin_call' ? describeMethod(method) : accessKindNames[kind]}</span>
    {count > 1 && <Note>{text.requests(count)}</Note>}
  </span>
);

function AccountCell({ row: { user, staff, key } }: Row) {
  const linkTo = ({ id, email }: NonNullable<AccessEventView['user']>) => <UserLink id={id}>{email}</UserLink>;
  return (
    <span className="grid justify-items-end sm:justify-items-start">
      {user && linkTo(user)}
      {key && (
        <Note>
          <RowLink to={toAccessLogPath({ key: key.id })} label={text.showKey(key.name)}>
            {text.key(key.name)}
          </RowLink>
          {key.isDeleted && ` (${text.keyDeleted})`}
        </Note>
      )}
      {staff && (
        <span>
          {text.by} {linkTo(staff)}
        </span>
      )}
      {!user && !staff && <span className="text-muted">{text.nobody}</span>}
    </span>
  );
}

const AddressCell = ({ row: { address, network, country, userAgent } }: Row) => (
  <span className="grid justify-items-end sm:justify-items-start">
    {address ? (
      <RowLink to={toAccessLogPath({ address })} label={text.showAddress(address)}>
        {address}
      </RowLink>
    ) : (
      network
    )}
    <Note>{[country, userAgent && describeDevice(userAgent)].filter(Boolean).join(' · ')}</Note>
  </span>
);

const RequestCell = ({ row: { method, path, requestId } }: Row) => (
  <span className="grid justify-items-end sm:justify-items-start">
    <code className="text-xs">{`${method} ${path}`}</code>
    <code className="text-muted text-xs">{requestId}</code>
  </span>
);

const StatusCodeCell = ({ row: { status } }: Row) => (
  <Badge kind={status < 400 ? 'success' : status < 500 ? 'warning' : 'danger'}>{status}</Badge>
);

type Filter = Record<string, string | null>;

const toAccessLogPath = (filter: Filter): string =>
  `${adminPages.accessLog}?${new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== null) as [string, string][])}`;

/** Returns the path of the access log, filtered by the events that caused an anomaly. */
export function toAnomalyEventsPath({ rule, day, keyId, userId, address }: Anomaly): string {
  if (keyId) return toAccessLogPath({ key: keyId });
  const days = { from: day, to: day };
  return rule === 'failures' && userId === null
    ? toAccessLogPath({ address, ...days })
    : toAccessLogPath({ user: userId, ...days });
}
