import type { AuditEntryView } from '@uprez/contracts/schemas/admin/logs';
import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';
import { describeChanges, formatField } from '@uprez/contracts/texts/admin/describe-changes';
import { ArrowRight } from 'lucide-react';
import { useState } from 'react';
import { formatDateTime } from '../../../lib/format/format.ts';
import { campaignPath, postPath, ticketPath, userPath } from '../frame/admin-paths.ts';
import { jobPath } from '../jobs/links.ts';

export const auditMessages = {
  title: 'Audit log',
  subtitle: 'Changes that administrators made or tried to make',
  caption: 'Audit log',
  search: 'Search by person, reason, IP address, or ID',
  action: 'Action',
  actor: 'Administrator',
  subject: 'Subject',
  changes: 'Details',
  reason: 'Reason',
  noReason: 'None',
  source: 'Source',
  time: 'Time',
  rejected: 'Rejected',
  deleted: 'Deleted administrator',
  operator: 'Operator command',
  noChanges: 'No fields changed',
  to: 'to',
  more: (count: number) => `Show ${count} more`,
  fewer: 'Show fewer',
  request: (id: string) => `Request ${id}`,
  onlyActor: 'Show only this administrator',
  onlySubject: 'Show only this subject',
  onlyAccount: 'Show everything about this customer',
  copyRequest: 'Copy request ID',
  copied: 'Request ID copied',
  copyFailed: "Couldn't copy the request ID",
  actorFilter: (name: string) => `Administrator: ${name}`,
  subjectFilter: (name: string) => `Subject: ${name}`,
  accountFilter: (name: string) => `Customer: ${name}`,
  empty: { title: 'No changes yet', text: 'Changes that administrators make appear here.' },
} as const;

type ChangesListProps = {
  row: Pick<AuditEntryView, 'before' | 'after'> & Partial<Pick<AuditEntryView, 'names'>>;
  /** Maximum number of changes shown before the list is expanded. */
  shownChanges?: number;
};

export function ChangesList({ row, shownChanges = 3 }: ChangesListProps) {
  const [isOpen, setOpen] = useState(false);
  const changes = describeChanges(row);
  const shown = isOpen ? changes : changes.slice(0, shownChanges);
  if (changes.length === 0) return <span className="text-muted text-xs">{auditMessages.noChanges}</span>;
  return (
    <div className="grid justify-items-end gap-1 sm:justify-items-start">
      <ul className="grid gap-1 text-xs">
        {shown.map(({ field, before, after }) => (
          <li key={field}>
            <span className="text-muted">{`${field}: `}</span>
            {before !== undefined && (
              <>
                <span>{formatValue(field, before, row.names)}</span>
                <ArrowRight
                  role="img"
                  aria-label={auditMessages.to}
                  strokeWidth={1.75}
                  className="mx-1 inline size-3 text-muted"
                />
              </>
            )}
            <span className="font-medium">{formatValue(field, after, row.names)}</span>
          </li>
        ))}
      </ul>
      {changes.length > shownChanges && (
        <button
          type="button"
          aria-expanded={isOpen}
          className="text-muted text-xs underline decoration-line underline-offset-4 hover:text-ink hover:decoration-current"
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? auditMessages.fewer : auditMessages.more(changes.length - shownChanges)}
        </button>
      )}
    </div>
  );
}

/** Times are in the browser's time zone. */
const formatValue = (field: string, value: string, names?: Readonly<Record<string, string>>): string =>
  formatField(field, value, { names, time: formatDateTime });

/** Settings pages, by the ID of the settings in the audit log. */
const settingsPages: Readonly<Record<string, string | undefined>> = {
  site: adminPages.settings,
  seo: adminPages.settingsSeo,
  email: adminPages.settingsEmail,
  security: adminPages.security,
  billing: adminPages.prices,
};

/** List pages, by the kind of subject. The link opens the whole list, because these lists can't be searched by ID. */
const listPages: Readonly<Record<string, string | undefined>> = {
  coupon: adminPages.coupons,
  lead: adminPages.leads,
  invitation: adminPages.newUser,
  anomaly: adminPages.accessLog,
  api_key: adminPages.apiKeys,
  engine: adminPages.jobs,
  worker: adminPages.jobs,
  pool: adminPages.jobs,
  subscriber: adminPages.subscribers,
  category: `${adminPages.posts}?tab=categories`,
};

const toSearchPath = (page: string, text: string) => `${page}?${new URLSearchParams({ search: text })}`;

type LinkedSubject = Pick<AuditEntryView['subject'], 'kind' | 'id'> & Partial<Pick<AuditEntryView['subject'], 'email'>>;

/** Returns the path of the subject's page. Undefined if the subject has no page. */
export function findSubjectLink({ kind, id, email = null }: LinkedSubject): string | undefined {
  if (id === null) return undefined;
  if (kind === 'settings') return settingsPages[id];
  if (kind === 'user') return email === null ? undefined : userPath(id);
  if (kind === 'payment') return toSearchPath(adminPages.transactions, id);
  if (kind === 'subscription') return toSearchPath(adminPages.payments, id);
  if (kind === 'job') return jobPath(id);
  if (kind === 'ticket') return ticketPath(id);
  if (kind === 'article') return postPath(id);
  if (kind === 'campaign') return campaignPath(id);
  if (kind === 'stripe_event') return toSearchPath(adminPages.inbox, id);
  return Object.hasOwn(listPages, kind) ? listPages[kind] : undefined;
}
