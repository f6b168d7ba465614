import type { TicketState } from '@uprez/contracts/policy/admin/tickets';
import type { TicketRow } from '@uprez/contracts/schemas/tickets';
import { describeInquiry } from '@uprez/contracts/texts/admin/tickets';
import type { ComponentProps } from 'react';
import { Link } from 'react-router';
import { formatDateTime } from '../../../lib/format/format.ts';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { ticketPath } from '../frame/admin-paths.ts';
import { inboxMessages as text } from './messages.ts';

const kinds: Record<TicketState, ComponentProps<typeof Badge>['kind']> = {
  open: 'warning',
  answered: 'success',
  closed: 'neutral',
  spam: 'neutral',
};

export const TicketBadge = ({ state, isOverdue }: Pick<TicketRow, 'state' | 'isOverdue'>) => (
  <Badge kind={isOverdue ? 'danger' : kinds[state]}>{isOverdue ? text.overdue : text.states[state]}</Badge>
);

export const SubjectCell = ({ id, number, subject, ...about }: TicketRow) => (
  <span className="grid">
    <Link
      to={ticketPath(id)}
      className="rounded-control font-medium underline decoration-line underline-offset-4 wrap-anywhere hover:decoration-current"
    >
      {subject}
    </Link>
    <span className="text-muted text-xs">{`#${number}, ${describeInquiry({ ...about, position: null })}`}</span>
  </span>
);

export const SenderCell = ({ name, email, company }: TicketRow) => (
  <span className="grid wrap-anywhere">
    <span className="font-medium">{name || email}</span>
    <span className="text-muted text-xs">{[name && email, company].filter(Boolean).join(', ')}</span>
  </span>
);

export const AssigneeCell = ({ assignee }: TicketRow) => (
  <span className={assignee ? 'text-xs' : 'text-muted text-xs'}>
    {assignee ? (assignee.firstName ?? assignee.email) : text.nobody}
  </span>
);

export const DueCell = ({ dueAt }: TicketRow) =>
  dueAt && (
    <time dateTime={dueAt} className="text-muted text-xs tabular-nums">
      {formatDue(dueAt)}
    </time>
  );

const day = new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'short', day: 'numeric', timeZone: 'UTC' });
const dayMs = 86_400_000;

/**
 * Formats the due time of a reply. Midnight (UTC) is shown as the end of the previous day, such as `End of Monday, Nov
 * 30 (UTC)`.
 */
export function formatDue(dueAt: string): string {
  const ms = Date.parse(dueAt);
  return ms % dayMs === 0 ? `End of ${day.format(ms - 1)} (UTC)` : formatDateTime(dueAt);
}
