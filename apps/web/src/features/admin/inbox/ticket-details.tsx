import { routeUrl } from '@uprez/client/route-url';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import type { Ticket } from '@uprez/contracts/schemas/tickets';
import { adminPages } from '@uprez/contracts/texts/admin-pages';
import { formatBytes } from '@uprez/contracts/texts/format';
import { describeInquiry } from '@uprez/contracts/texts/tickets';
import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { formatTime } from '../../../lib/format/format.ts';
import { Card } from '../../../ui/layout/card.tsx';
import { UserLink } from '../frame/user-link.tsx';
import { AssigneeSelect } from './assignee-select.tsx';
import { TicketBadge } from './cells.tsx';
import { formatDue } from './format-due.ts';
import { inboxMessages as text } from './messages.ts';

const linkStyle = 'rounded-control underline decoration-line underline-offset-4 hover:decoration-current';

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="grid gap-0.5 wrap-anywhere">
    <dt className="text-muted text-xs">{name}</dt>
    <dd>{children}</dd>
  </div>
);

const LeadLink = ({ email }: { email: string }) => (
  <Link to={`${adminPages.leads}?${new URLSearchParams({ search: email })}`} className={linkStyle}>
    {text.lead}
  </Link>
);

function Files({ ticket: { id, files } }: { ticket: Ticket }) {
  return (
    <Card title={text.files}>
      <ul className="grid gap-2 text-sm">
        {files.map((file) => (
          <li key={file.id} className="flex items-baseline gap-2">
            <Download aria-hidden="true" strokeWidth={1.75} className="size-3.5 shrink-0 text-muted" />
            <a
              href={routeUrl(adminRoutes.adminTicketFile, { params: { id, fileId: file.id } })}
              download
              className={`${linkStyle} min-w-0 wrap-anywhere`}
            >
              {file.name}
            </a>
            <span className="ml-auto shrink-0 text-muted text-xs tabular-nums">{formatBytes(file.sizeBytes)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Who sent a ticket, who answers it and until when, and its files. */
export function TicketDetails({ ticket }: { ticket: Ticket }) {
  const { email, company, account, wasSignedIn, dueAt, createdAt, kind } = ticket;
  return (
    <div className="grid content-start gap-4">
      <Card title={text.details}>
        <AssigneeSelect ticket={ticket} />
        <dl className="grid gap-3 text-sm">
          <Fact name={text.stateColumn}>
            <TicketBadge {...ticket} />
          </Fact>
          {dueAt && <Fact name={text.due}>{formatDue(dueAt)}</Fact>}
          <Fact name={text.created}>{formatTime(createdAt)}</Fact>
          <Fact name={text.about}>{describeInquiry(ticket)}</Fact>
          <Fact name={text.email}>{email}</Fact>
          {company && <Fact name={text.company}>{company}</Fact>}
          <Fact name={text.account}>
            {account ? <UserLink id={account.id}>{account.email}</UserLink> : text.noAccount}
            <span className="block text-muted text-xs">{wasSignedIn ? text.signedIn : text.notSignedIn}</span>
          </Fact>
          {kind === 'lead' && (
            <div>
              <LeadLink email={email} />
            </div>
          )}
        </dl>
      </Card>
      {ticket.files.length > 0 && <Files ticket={ticket} />}
    </div>
  );
}
