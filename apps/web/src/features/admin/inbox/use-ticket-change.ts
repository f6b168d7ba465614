import type { TicketState } from '@uprez/contracts/policy/tickets';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { adminApi } from '../admin-api.ts';
import { inboxMessages as text } from './messages.ts';
import { ticketsKey } from './queries.ts';

type Changes = { state?: Exclude<TicketState, 'answered'>; assigneeId?: string | null };

/** Changes a ticket, and shows it again. */
export const useTicketChange = (id: string) =>
  useResourceMutation({
    call: (body: Changes) => adminApi.adminChangeTicket({ params: { id }, body }),
    invalidates: [ticketsKey],
    errorTitle: text.actions.failed,
  });
