import type { TicketRow } from '@uprez/contracts/schemas/tickets';
import { addNote, replyToTicket } from '@uprez/domain/inbox/answer-ticket';
import { changeTicket, deleteTicket } from '@uprez/domain/inbox/change-ticket';
import { exportTickets, listAssignees, listTickets } from '@uprez/domain/inbox/list-tickets';
import { getTicket, getTicketFile } from '@uprez/domain/inbox/present-ticket';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { requireAdmin } from '../../http/authenticate.ts';
import { linkNext } from '../../http/public-links.ts';
import { type ExportColumns, sendExport } from '../admin/send-export.ts';
import type { ApiAdapter } from '../api-adapter.ts';
import { sendObject } from '../files/send-object.ts';

const ticketColumns: ExportColumns<'tickets', TicketRow> = {
  ticket: {
    ticket: ({ id }) => id,
    number: ({ number }) => number,
    subject: ({ subject }) => subject,
    kind: ({ kind }) => kind,
    inquiry_type: ({ inquiryType }) => inquiryType,
  },
  sender: { name: ({ name }) => name, email: ({ email }) => email, company: ({ company }) => company || null },
  state: { state: ({ state }) => state, spam_reasons: ({ spamReasons }) => spamReasons.join(', ') || null },
  assignee: { assignee: ({ assignee }) => assignee?.email ?? null },
  due: { due: ({ dueAt }) => dueAt },
  created: { created: ({ createdAt }) => createdAt },
};

/** The inbox of administrators. */
export function registerTicketRoutes({ route }: ApiAdapter, deps: Deps): void {
  const adminOf = (request: FastifyRequest) => requireAdmin(deps, request);
  route('adminListTickets', async (request, reply) => {
    const { accountId: adminId } = await adminOf(request);
    const { rows, ...page } = await listTickets(deps, { ...request.query, adminId });
    linkNext(reply, { path: '/api/admin/tickets', query: request.query, ...page });
    return rows;
  });
  route('adminExportTickets', async (request, reply) => {
    const { accountId: adminId } = await adminOf(request);
    const pages = await exportTickets(deps, { ...request.query, adminId });
    return sendExport(reply, { name: 'tickets', columns: ticketColumns, pages, query: request.query });
  });
  route('adminListAssignees', () => listAssignees(deps));
  route('adminGetTicket', (request) => getTicket(deps, request.params.id));
  route('adminTicketFile', async (request, reply) => {
    const { name: filename, ...file } = await getTicketFile(deps, request.params);
    const { accountId } = await adminOf(request);
    const sent = { ...file, accountId, filename, disposition: 'attachment', mayKeep: false } as const;
    return sendObject(deps, { request, reply }, { ...sent, whenGone: 'ticket_not_found' });
  });
}

/** Answers to tickets, and other changes. */
export function registerTicketWriteRoutes({ route }: ApiAdapter, deps: Deps): void {
  const writingOf = async (request: FastifyRequest & { params: { id: string } }) => ({
    admin: await requireAdmin(deps, request),
    id: request.params.id,
  });
  route('adminChangeTicket', async (request) => changeTicket(deps, { ...(await writingOf(request)), ...request.body }));
  route('adminDeleteTicket', async (request, reply) => {
    await deleteTicket(deps, await writingOf(request));
    return reply.status(204).send(null);
  });
  route('adminReplyToTicket', async (request, reply) =>
    reply.status(201).send(await replyToTicket(deps, { ...(await writingOf(request)), ...request.body })),
  );
  route('adminAddNote', async (request, reply) =>
    reply.status(201).send(await addNote(deps, { ...(await writingOf(request)), ...request.body })),
  );
}
