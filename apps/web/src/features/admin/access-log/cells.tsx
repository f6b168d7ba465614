import type { AccessEventView } from '@uprez/contracts/schemas/access-log';
import { accessKindNames } from '@uprez/contracts/texts/access-log';
import { describeDevice } from '@uprez/contracts/texts/describe-device';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { UserLink } from '../frame/user-link.tsx';
import { eventsOf } from './links.ts';
import { accessMessages as text } from './messages.ts';

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

const nameCall = (method: string) => (['GET', 'HEAD'].includes(method) ? text.read : text.change);

/** What happened, and how often. */
export const EventCell = ({ row: { kind, method, count } }: Row) => (
  <span className="grid">
    <span className="font-medium">{kind === 'admin_call' ? nameCall(method) : accessKindNames[kind]}</span>
    {count > 1 && <Note>{text.requests(count)}</Note>}
  </span>
);

/** The account and the administrator with links to their pages, and the API key with a link to its events. */
export function AccountCell({ row: { user, staff, key } }: Row) {
  const linkTo = ({ id, email }: NonNullable<AccessEventView['user']>) => <UserLink id={id}>{email}</UserLink>;
  return (
    <span className="grid justify-items-end sm:justify-items-start">
      {user && linkTo(user)}
      {key && (
        <Note>
          <RowLink to={eventsOf({ key: key.id })} label={text.showKey(key.name)}>
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

/** The IP address with a link to its events, the country, and the browser. */
export const AddressCell = ({ row: { address, network, country, userAgent } }: Row) => (
  <span className="grid justify-items-end sm:justify-items-start">
    {address ? (
      <RowLink to={eventsOf({ address })} label={text.showAddress(address)}>
        {address}
      </RowLink>
    ) : (
      network
    )}
    <Note>{[country, userAgent && describeDevice(userAgent)].filter(Boolean).join(' · ')}</Note>
  </span>
);

export const RequestCell = ({ row: { method, path, requestId } }: Row) => (
  <span className="grid justify-items-end sm:justify-items-start">
    <code className="text-xs">{`${method} ${path}`}</code>
    <code className="text-muted text-xs">{requestId}</code>
  </span>
);

export const StatusCodeCell = ({ row: { status } }: Row) => (
  <Badge kind={status < 400 ? 'success' : status < 500 ? 'warning' : 'danger'}>{status}</Badge>
);
