import * as z from 'zod';
import { contactTokenSchema, receivedTicketSchema } from '../../schemas/contact.ts';
import {
  assigneeSchema,
  noteBodySchema,
  replyBodySchema,
  ticketChangesSchema,
  ticketFileParams,
  ticketRowSchema,
  ticketSchema,
  ticketsExportSchema,
  ticketsQuerySchema,
} from '../../schemas/tickets.ts';
import { bytesSchema, defineAdminEndpoints, defineEndpoints, emptySchema, exportOf } from '../endpoint.ts';

const permission = 'inbox.manage';
const ticketNotFound = ['ticket_not_found'] as const;

export const ticketEndpoints = {
  ...defineEndpoints('none', { openContactForm: { route: 'GET /api/contact', answers: { 200: contactTokenSchema } } }),
  ...defineEndpoints('optional', {
    /** Accepts a form with the fields of `contactFormSchema` and files in `attachments`. */
    sendContact: {
      route: 'POST /api/contact',
      answers: { 201: receivedTicketSchema },
      errors: ['malformed_multipart', 'invalid_parameter', 'file_too_large'],
    },
  }),
  ...defineAdminEndpoints({
    adminListTickets: {
      route: 'GET /api/admin/tickets',
      permission,
      query: ticketsQuerySchema,
      answers: { 200: z.array(ticketRowSchema) },
    },
    adminExportTickets: {
      route: 'GET /api/admin/tickets/export',
      permission,
      ...exportOf(ticketsExportSchema),
    },
    adminListAssignees: {
      route: 'GET /api/admin/tickets/assignees',
      permission,
      answers: { 200: z.array(assigneeSchema) },
    },
    adminGetTicket: {
      route: 'GET /api/admin/tickets/:id',
      permission,
      answers: { 200: ticketSchema },
      errors: ticketNotFound,
    },
    adminChangeTicket: {
      route: 'PATCH /api/admin/tickets/:id',
      permission,
      body: ticketChangesSchema,
      answers: { 200: ticketSchema },
      errors: ticketNotFound,
    },
    adminDeleteTicket: {
      route: 'DELETE /api/admin/tickets/:id',
      permission,
      answers: { 204: emptySchema },
      errors: [...ticketNotFound, 'ticket_not_spam'],
    },
    adminReplyToTicket: {
      route: 'POST /api/admin/tickets/:id/replies',
      permission,
      body: replyBodySchema,
      answers: { 201: ticketSchema },
      errors: [...ticketNotFound, 'ticket_is_spam', 'ticket_answered'],
    },
    adminAddNote: {
      route: 'POST /api/admin/tickets/:id/notes',
      permission,
      body: noteBodySchema,
      answers: { 201: ticketSchema },
      errors: ticketNotFound,
    },
    adminTicketFile: {
      route: 'GET /api/admin/tickets/:id/files/:fileId',
      permission,
      params: ticketFileParams,
      answers: { 200: bytesSchema },
      errors: ['ticket_not_found', 'range_not_satisfiable'],
    },
  }),
};
