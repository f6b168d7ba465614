import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import type { BillingAccount } from '@uprez/contracts/schemas/billing/admin-payments';
import type { ComponentProps } from 'react';
import { formatDate, formatDateTime } from '../../../lib/format/format.ts';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { UserLink } from '../frame/user-link.tsx';
import { type AdminStatus, adminMessages } from '../messages.ts';

const text = adminMessages.table;

export function AccountCell({ account, id }: { account: BillingAccount; id: string }) {
  if (!account) return <span className="text-muted">{`${text.noAccount} (${id})`}</span>;
  const { override } = account;
  return (
    <span className="grid">
      <span className="font-medium">
        <UserLink id={account.id}>{account.name ?? account.email}</UserLink>
      </span>
      {account.name && <span className="text-muted text-xs">{account.email}</span>}
      {override && (
        <span className="text-muted text-xs">
          {text.override(currentPlans[override.tier].name, override.until && formatDate(override.until))}
        </span>
      )}
    </span>
  );
}

const kinds: Record<AdminStatus, ComponentProps<typeof Badge>['kind']> = {
  active: 'success',
  succeeded: 'success',
  done: 'neutral',
  ignored: 'neutral',
  disabled: 'neutral',
  expired: 'neutral',
  used_up: 'neutral',
  reserved: 'warning',
  redeemed: 'success',
  released: 'neutral',
  open: 'warning',
  sent: 'success',
  canceled: 'neutral',
  pending: 'warning',
  incomplete: 'warning',
  past_due: 'danger',
  failed: 'danger',
};

export const StatusBadge = ({ status }: { status: AdminStatus }) => (
  <Badge kind={kinds[status]}>{text.statuses[status]}</Badge>
);

export const StatusCell = ({ status, note }: { status: AdminStatus; note?: string | null | undefined }) => (
  <span className="inline-grid justify-items-end gap-0.5 sm:justify-items-start">
    <StatusBadge status={status} />
    {note && <span className="whitespace-pre-line text-muted text-xs">{note}</span>}
  </span>
);

export const TimeCell = ({ at }: { at: string }) => (
  <time dateTime={at} className="whitespace-nowrap text-muted text-xs tabular-nums">
    {formatDateTime(at)}
  </time>
);
