import { type ErrorCode, errorCodes } from '@uprez/contracts/errors/error-codes';
import { type ColumnOf, tables } from '@uprez/contracts/policy/admin/tables';
import type { AuditEntryView } from '@uprez/contracts/schemas/admin/logs';
import { describeAction, describeSubject } from '@uprez/contracts/texts/admin/audit-actions';
import { Copy, Filter } from 'lucide-react';
import { Link } from 'react-router';
import { copyText } from '../../../lib/browser/clipboard.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { ActionsMenu } from '../../../ui/overlays/menu.tsx';
import { adminApi } from '../admin-api.ts';
import { AdminPage } from '../frame/admin-page.tsx';
import { userPath } from '../frame/admin-paths.ts';
import { adminMessages } from '../messages.ts';
import { TimeCell } from '../payments/cells.tsx';
import { ChosenFilters } from '../table/chosen-filters.tsx';
import { DataTable } from '../table/data-table.tsx';
import { type Column, type Table, useTable } from '../table/use-table.ts';
import { ChangesList, findSubjectLink, auditMessages as text } from './audit-entry.tsx';

export const AuditPage = () => (
  <AdminPage title={text.title} subtitle={text.subtitle}>
    <AuditTable />
  </AdminPage>
);

const columns: Column<AuditEntryView, ColumnOf<'audits'>>[] = [
  { id: 'action', name: text.action, cell: (row) => <ActionCell row={row} /> },
  { id: 'actor', name: text.actor, cell: (row) => <ActorCell row={row} /> },
  { id: 'subject', name: text.subject, cell: (row) => <SubjectCell row={row} /> },
  { id: 'changes', name: text.changes, cell: (row) => <ChangesList row={row} /> },
  {
    id: 'reason',
    name: text.reason,
    cell: ({ reason }) => reason ?? <span className="text-muted">{text.noReason}</span>,
  },
  { id: 'source', name: text.source, cell: (row) => <SourceCell row={row} /> },
  { id: 'time', name: text.time, cell: ({ createdAt }) => <TimeCell at={createdAt} />, sort: 'created' },
];

async function copyRequestId(id: string): Promise<void> {
  const isCopied = await copyText(id);
  showToast(isCopied ? { title: text.copied } : { title: text.copyFailed, destructive: true });
}

/** The audit log. `account`: limits the log on a user's page to entries about the user and the user's resources. */
export function AuditTable({ account }: { account?: string }) {
  const table = useTable(tables.audits, {
    load: adminApi.adminListAudits,
    values: ['actor', 'subject', 'account', 'from', 'to'],
    ...(account && { fixed: { account } }),
  });
  const { setValues } = table;
  const menuOf = (row: AuditEntryView) => {
    const { actor, requestId } = row;
    const { kind, id, accountId } = row.subject;
    const own = [kind, id].filter(Boolean).join(':');
    const items = [
      actor.id !== null && {
        label: text.onlyActor,
        icon: Filter,
        onSelect: () => setValues({ actor: actor.id ?? undefined }),
      },
      { label: text.onlySubject, icon: Filter, onSelect: () => setValues({ subject: own }) },
      !account &&
        accountId !== null && {
          label: text.onlyAccount,
          icon: Filter,
          onSelect: () => setValues({ account: accountId }),
        },
      requestId !== null && { label: text.copyRequest, icon: Copy, onSelect: () => void copyRequestId(requestId) },
    ].filter((item) => item !== false);
    if (items.length === 0) return null;
    return <ActionsMenu label={adminMessages.table.actions(nameOfActor(row))} items={items} />;
  };
  return (
    <DataTable text={text} table={table} filters={<AuditFilters table={table} />} columns={columns} actions={menuOf} />
  );
}

/** Filters entries by day. Also filters them by the administrator, subject, or customer that was chosen in a row. */
function AuditFilters({ table }: { table: Table<AuditEntryView> }) {
  const { actor, subject, account } = table.values;
  const row = table.query.data?.pages[0]?.rows[0];
  const chosen = [
    { name: 'actor', label: actor && text.actorFilter(row ? nameOfActor(row) : actor) },
    { name: 'subject', label: subject && text.subjectFilter(row ? nameOfSubject(row) : subject) },
    { name: 'account', label: account && text.accountFilter(row ? nameOfAccount(row, account) : account) },
  ];
  return <ChosenFilters table={table} chosen={chosen} />;
}

const Stack = ({ title, note }: { title: string; note: string | null }) => (
  <span className="grid">
    <span className="font-medium">{title}</span>
    {note && <span className="text-muted text-xs">{note}</span>}
  </span>
);

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorCodes, code);

const ActionCell = ({ row: { action, rejected } }: { row: AuditEntryView }) => (
  <span className="grid max-w-56 justify-items-start gap-0.5">
    <span className="font-medium">{describeAction(action)}</span>
    {rejected !== null && (
      <>
        <Badge kind="danger">{text.rejected}</Badge>
        <span className="text-muted text-xs">{isErrorCode(rejected) ? errorCodes[rejected].title : rejected}</span>
      </>
    )}
  </span>
);

function nameOfActor({ actor: { kind, name, email, id } }: Pick<AuditEntryView, 'actor'>): string {
  if (kind === 'operator') return text.operator;
  return kind === 'deleted' ? text.deleted : (name ?? email ?? id ?? '');
}

function ActorCell({ row }: { row: AuditEntryView }) {
  const { actor, role } = row;
  const name = nameOfActor(row);
  const notes = [actor.email !== name && actor.email, role && adminMessages.roles[role]].filter(Boolean);
  return <Stack title={name} note={notes.join(', ')} />;
}

const nameOfSubject = ({ subject }: Pick<AuditEntryView, 'subject'>): string =>
  (subject.kind === 'user' ? (subject.name ?? subject.email) : null) ?? describeSubject(subject);

const nameOfAccount = ({ subject }: Pick<AuditEntryView, 'subject'>, id: string): string =>
  subject.name ?? subject.email ?? id;

/** If the subject is a user, shows the email address below the name instead. */
function OwnerNote({ subject: { kind, name, email, accountId } }: Pick<AuditEntryView, 'subject'>) {
  if (email === null || accountId === null) return null;
  if (kind === 'user') return name === null ? null : <span className="text-muted text-xs">{email}</span>;
  return (
    <Link
      to={userPath(accountId)}
      className="text-muted text-xs underline decoration-line underline-offset-4 hover:decoration-current"
    >
      {name ?? email}
    </Link>
  );
}

function SubjectCell({ row }: { row: AuditEntryView }) {
  const { subject } = row;
  const name = nameOfSubject(row);
  const link = findSubjectLink(subject);
  return (
    <span className="grid">
      {link ? (
        <Link to={link} className="underline decoration-line underline-offset-4 hover:decoration-current">
          {name}
        </Link>
      ) : (
        <span>{name}</span>
      )}
      <OwnerNote subject={subject} />
    </span>
  );
}

const SourceCell = ({ row: { address, requestId } }: { row: AuditEntryView }) => (
  <span className="grid text-muted text-xs">
    {address && <span>{address}</span>}
    {requestId && <code className="whitespace-nowrap">{text.request(requestId.slice(0, 8))}</code>}
  </span>
);
