import { adminPages } from '@uprez/contracts/texts/admin-pages';
import { useParams } from 'react-router';
import { AdminPage } from '../../features/admin/frame/admin-page.tsx';
import { MissingPage } from '../../features/admin/frame/missing-page.tsx';
import { AnswerForm } from '../../features/admin/inbox/answer-form.tsx';
import { Conversation } from '../../features/admin/inbox/conversation.tsx';
import { inboxMessages as text } from '../../features/admin/inbox/messages.ts';
import { useTicket } from '../../features/admin/inbox/queries.ts';
import { TicketActions } from '../../features/admin/inbox/ticket-actions.tsx';
import { TicketDetails } from '../../features/admin/inbox/ticket-details.tsx';
import { hasErrorCode } from '../../lib/api/api-errors.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { QueryView, Skeleton } from '../../ui/feedback/query-view.tsx';

/** One ticket: its conversation, its details, and what an administrator may do with it. */
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
