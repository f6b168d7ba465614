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
import { bytes, defineAdminEndpoints, defineEndpoints, idParams, nothing } from '../endpoint.ts';

const permission = 'inbox.manage';
const missing = ['ticket_not_found'] as const;

/** The contact form, and the inbox in which its messages are answered. */
export const ticketEndpoints = {
  ...defineEndpoints('none', { openContactForm: { answers: { 200: contactTokenSchema } } }),
  ...defineEndpoints('optional', {
    /** A form of the fields in `contactFormSchema`, with files in `attachments`. */
    sendContact: {
      answers: { 201: receivedTicketSchema },
      errors: ['malformed_multipart', 'invalid_parameter', 'file_too_large'],
    },
  }),
  ...defineAdminEndpoints({
    adminListTickets: { permission, query: ticketsQuerySchema, answers: { 200: z.array(ticketRowSchema) } },
    adminExportTickets: {
      permission,
      query: ticketsExportSchema,
      answers: { 200: bytes },
      errors: ['export_too_large'],
    },
    /** Who can be assigned. */
    adminListAssignees: { permission, answers: { 200: z.array(assigneeSchema) } },
    adminGetTicket: { permission, params: idParams, answers: { 200: ticketSchema }, errors: missing },
    adminChangeTicket: {
      permission,
      params: idParams,
      body: ticketChangesSchema,
      answers: { 200: ticketSchema },
      errors: missing,
    },
    adminDeleteTicket: {
      permission,
      params: idParams,
      answers: { 204: nothing },
      errors: [...missing, 'ticket_not_spam'],
    },
    adminReplyToTicket: {
      permission,
      params: idParams,
      body: replyBodySchema,
      answers: { 201: ticketSchema },
      errors: [...missing, 'ticket_is_spam', 'ticket_answered'],
    },
    adminAddNote: {
      permission,
      params: idParams,
      body: noteBodySchema,
      answers: { 201: ticketSchema },
      errors: missing,
    },
    adminTicketFile: {
      permission,
      params: ticketFileParams,
      answers: { 200: bytes },
      errors: ['ticket_not_found', 'range_not_satisfiable'],
    },
  }),
};
