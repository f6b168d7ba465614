import type { TicketRow } from '@uprez/contracts/schemas/tickets';
import { addNote, changeTicket, deleteTicket, replyToTicket } from '@uprez/domain/inbox/change-ticket';
import { exportTickets, getTicket, getTicketFile, listAssignees, listTickets } from '@uprez/domain/inbox/list-tickets';
import type { Deps } from '../../deps.ts';
import { requireAdmin, requireAdminAndId } from '../../http/authenticate.ts';
import { defineHandlers } from '../../http/contract.ts';
import { rowsOfPage } from '../../http/public-links.ts';
import { type ExportColumns, propertyFields, sendExport } from '../admin/send-export.ts';
import { sendObject } from '../files/send-object.ts';

const ticketColumns: ExportColumns<'tickets', TicketRow> = {
  ticket: {
    ticket: ({ id }) => id,
    ...propertyFields<TicketRow>('number', 'subject', 'kind', 'inquiryType'),
  },
  sender: { name: ({ name }) => name, email: ({ email }) => email, company: ({ company }) => company || null },
  state: { state: ({ state }) => state, spam_reasons: ({ spamReasons }) => spamReasons.join(', ') || null },
  assignee: { assignee: ({ assignee }) => assignee?.email ?? null },
  due: { due: ({ dueAt }) => dueAt },
  created: { created: ({ createdAt }) => createdAt },
};

export const ticketHandlers = (deps: Deps) =>
  defineHandlers({
    adminListTickets: async (request, reply) => {
      const { accountId: adminId } = await requireAdmin(deps, request);
      return rowsOfPage(reply, await listTickets(deps, { ...request.query, adminId }));
    },
    adminExportTickets: async (request, reply) => {
      const { accountId: adminId } = await requireAdmin(deps, request);
      const pages = await exportTickets(deps, { ...request.query, adminId });
      return sendExport(reply, { name: 'tickets', columns: ticketColumns, pages, query: request.query });
    },
    adminListAssignees: () => listAssignees(deps),
    adminGetTicket: (request) => getTicket(deps, request.params.id),
    adminTicketFile: async (request, reply) => {
      const { name: filename, ...file } = await getTicketFile(deps, request.params);
      const { accountId } = await requireAdmin(deps, request);
      const sent = { ...file, accountId, filename, disposition: 'attachment', mayKeep: false } as const;
      return sendObject(deps, { request, reply }, { ...sent, whenGone: 'ticket_not_found' });
    },
  });

export const ticketWriteHandlers = (deps: Deps) =>
  defineHandlers({
    adminChangeTicket: async (request) =>
      changeTicket(deps, { ...(await requireAdminAndId(deps, request)), ...request.body }),
    adminDeleteTicket: async (request, reply) => {
      await deleteTicket(deps, await requireAdminAndId(deps, request));
      return reply.status(204).send(null);
    },
    adminReplyToTicket: async (request, reply) =>
      reply
        .status(201)
        .send(await replyToTicket(deps, { ...(await requireAdminAndId(deps, request)), ...request.body })),
    adminAddNote: async (request, reply) =>
      reply.status(201).send(await addNote(deps, { ...(await requireAdminAndId(deps, request)), ...request.body })),
  });
