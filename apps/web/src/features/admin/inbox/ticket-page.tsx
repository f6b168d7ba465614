import { routeUrl } from '@uprez/client/route-url';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import type { TicketState } from '@uprez/contracts/policy/admin/tickets';
import type { Ticket } from '@uprez/contracts/schemas/tickets';
import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';
import { describeInquiry } from '@uprez/contracts/texts/admin/tickets';
import { formatBytes } from '@uprez/contracts/texts/format';
import clsx from 'clsx';
import { Download } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { hasErrorCode } from '../../../lib/api/api-errors.ts';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { formatDateTime } from '../../../lib/format/format.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { ConfirmCallDialog } from '../../../ui/overlays/call-dialog.tsx';
import { adminApi } from '../admin-api.ts';
import { AdminPage, MissingPage } from '../frame/admin-page.tsx';
import { UserLink } from '../frame/user-link.tsx';
import { TimeCell } from '../payments/cells.tsx';
import { AnswerForm, ticketsKey, useAssignees, useTicket } from './answer-form.tsx';
import { formatDue, TicketBadge } from './cells.tsx';
import { inboxMessages as text } from './messages.ts';

export function TicketPage() {
  const { id = '' } = useParams();
  const query = useTicket(id);
  if (hasErrorCode(query.error, 'ticket_not_found'))
    return <MissingPage text={text.notFound} list={adminPages.tickets} />;
  const ticket = query.data;
  return (
    <AdminPage
      title={ticket ? text.numbered(ticket.number, ticket.subject) : text.loading}
      subtitle={ticket ? `${ticket.name} (${ticket.email})` : ''}
      actions={ticket && <TicketActions key={ticket.id} ticket={ticket} />}
    >
      <QueryView query={query} skeleton={<Skeleton className="h-96 rounded-card" />}>
        {(found) => (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
            <div className="grid content-start gap-4">
              {found.state === 'spam' && <Notice kind="warning">{text.spam(found.spamReasons)}</Notice>}
              <Conversation ticket={found} />
              <AnswerForm key={found.id} ticket={found} />
            </div>
            <TicketDetails ticket={found} />
          </div>
        )}
      </QueryView>
    </AdminPage>
  );
}

type Message = Ticket['messages'][number];

function authorOf({ kind, author }: Message, sender: string): string {
  if (kind === 'message') return sender;
  return author ? (author.firstName ?? author.email) : text.formerAdmin;
}

const deliveryKinds = { queued: 'neutral', sent: 'success', failed: 'danger' } as const;

function MessageItem({ message, sender }: { message: Message; sender: string }) {
  const { kind, delivery } = message;
  return (
    <li
      className={clsx(
        'grid gap-2 rounded-control border border-line p-3 sm:p-4',
        kind === 'note' && 'border-dashed bg-sunken',
        kind === 'reply' && 'sm:ml-8',
      )}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium text-sm wrap-anywhere">{authorOf(message, sender)}</span>
        <Badge kind="neutral">{text.kinds[kind]}</Badge>
        {delivery && <Badge kind={deliveryKinds[delivery]}>{text.delivery[delivery]}</Badge>}
        <span className="ml-auto">
          <TimeCell at={message.createdAt} />
        </span>
      </div>
      <p className="text-sm whitespace-pre-line wrap-anywhere">{message.text}</p>
    </li>
  );
}

const Conversation = ({ ticket: { messages, name, email } }: { ticket: Ticket }) => (
  <Card title={text.conversation}>
    <ol className="grid gap-3">
      {messages.map((message) => (
        <MessageItem key={message.id} message={message} sender={name || email} />
      ))}
    </ol>
  </Card>
);

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

function TicketDetails({ ticket }: { ticket: Ticket }) {
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
          <Fact name={text.created}>{formatDateTime(createdAt)}</Fact>
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

/** Value of the option for no assignee, because an option's value can't be empty. */
const nobody = 'nobody';

function AssigneeSelect({ ticket: { id, assignee } }: { ticket: Ticket }) {
  const change = useTicketChange(id);
  const { data: people = [] } = useAssignees();
  // Keeps a former administrator in the options until the ticket is assigned to someone else.
  const known = assignee && !people.some((person) => person.id === assignee.id) ? [...people, assignee] : people;
  return (
    <Select
      label={text.assignee}
      value={(change.isPending ? change.variables.assigneeId : assignee?.id) ?? nobody}
      disabled={change.isPending}
      onChange={(chosen) => change.mutate({ assigneeId: chosen === nobody ? null : chosen })}
      options={[
        { value: nobody, label: text.nobody },
        ...known.map((person) => ({
          value: person.id,
          label: person.firstName ?? person.email,
          ...(person.firstName && { hint: person.email }),
        })),
      ]}
    />
  );
}

const actionsText = text.actions;

/**
 * Deletes spam and returns to the list. Doesn't refetch anything, because this page would request the deleted ticket.
 */
function DeleteButton({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false);
  const navigate = useNavigate();
  return (
    <>
      <Button look="danger" onClick={() => setOpen(true)}>
        {actionsText.remove}
      </Button>
      {isOpen && (
        <ConfirmCallDialog
          text={{ title: actionsText.removeTitle, text: actionsText.removeText, confirm: actionsText.remove }}
          call={() => adminApi.adminDeleteTicket({ params: { id } })}
          failed={actionsText.failed}
          done={actionsText.removeDone}
          onClose={() => setOpen(false)}
          onDone={() => void navigate(`${adminPages.tickets}?state=spam`)}
        />
      )}
    </>
  );
}

function TicketActions({ ticket: { id, state } }: { ticket: Ticket }) {
  const change = useTicketChange(id);
  const button = (label: string, next: 'open' | 'closed' | 'spam') => (
    <Button
      look="secondary"
      pending={change.isPending && change.variables.state === next}
      disabled={change.isPending}
      onClick={() => change.mutate({ state: next })}
    >
      {label}
    </Button>
  );
  return (
    <div className="flex flex-wrap gap-2">
      {state === 'spam' && button(actionsText.notSpam, 'open')}
      {state === 'spam' && <DeleteButton id={id} />}
      {state === 'closed' && button(actionsText.reopen, 'open')}
      {(state === 'open' || state === 'answered') && button(actionsText.close, 'closed')}
      {state !== 'spam' && button(actionsText.markSpam, 'spam')}
    </div>
  );
}

type Changes = { state?: Exclude<TicketState, 'answered'>; assigneeId?: string | null };

const useTicketChange = (id: string) =>
  useResourceMutation({
    call: (body: Changes) => adminApi.adminChangeTicket({ params: { id }, body }),
    invalidates: [ticketsKey],
    errorTitle: text.actions.failed,
  });
