import * as z from 'zod';
import {
  inquiryTypes,
  spamReasons,
  ticketKinds,
  ticketLimits,
  ticketMessageKinds,
  ticketStates,
} from '../policy/admin/tickets.ts';
import { limits } from '../policy/limits.ts';
import { makeExportFields, makeFilterFields, tablePageFields } from './admin/table.ts';
import { makeMessageSchema } from './contact.ts';
import { lineSchema } from './user.ts';

const person = z.object({ id: z.uuid(), firstName: z.string().nullable(), email: z.string() });
export const assigneeSchema = person;
export type Assignee = z.infer<typeof assigneeSchema>;

export const ticketRowSchema = z.object({
  id: z.uuid(),
  number: z.int(),
  kind: z.enum(ticketKinds),
  /** Inquiry type selected in the contact form. Null for applications and leads. */
  inquiryType: z.enum(inquiryTypes).nullable(),
  state: z.enum(ticketStates),
  name: z.string(),
  email: z.string(),
  company: z.string(),
  subject: z.string(),
  assignee: person.nullable(),
  /** When a reply is due. Null if the ticket has been answered, is closed, or is spam. */
  dueAt: z.iso.datetime().nullable(),
  isOverdue: z.boolean(),
  spamReasons: z.array(z.enum(spamReasons)),
  createdAt: z.iso.datetime(),
});
export type TicketRow = z.infer<typeof ticketRowSchema>;

export const ticketMessageSchema = z.object({
  id: z.uuid(),
  kind: z.enum(ticketMessageKinds),
  /** Author of a reply or note. Null for the sender's messages, or if the author's account was deleted. */
  author: person.nullable(),
  text: z.string(),
  /** Delivery status of the email that contains the reply. Null if the email's record was deleted. */
  delivery: z.enum(['queued', 'sent', 'failed']).nullable(),
  createdAt: z.iso.datetime(),
});

export const ticketFileSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  mimeType: z.string(),
  sizeBytes: z.int(),
});

export const ticketSchema = ticketRowSchema.extend({
  /** Title of the position that the sender applied for, as it was at the time. */
  position: z.string().nullable(),
  /** The account that has the sender's email address. */
  account: z.object({ id: z.uuid(), email: z.string() }).nullable(),
  /** Whether the sender was signed in. False if that account no longer exists. */
  wasSignedIn: z.boolean(),
  messages: z.array(ticketMessageSchema),
  files: z.array(ticketFileSchema),
});
export type Ticket = z.infer<typeof ticketSchema>;

const ticketFilter = {
  /** Matches the ticket number, or part of the name, email address, company, or subject. */
  search: lineSchema.max(limits.searchLength).optional(),
  ...makeFilterFields('tickets'),
};
export const ticketsQuerySchema = z.object({ ...ticketFilter, ...tablePageFields });
export const ticketsExportSchema = z.object({ ...ticketFilter, ...makeExportFields('tickets') });

/**
 * `close`: whether to also close the ticket. `seenReplyId`: latest reply that the administrator saw, or null if none.
 * If it isn't sent, the server doesn't check for newer replies.
 */
export const replyBodySchema = z.strictObject({
  message: makeMessageSchema(ticketLimits.replyLength, 'Reply'),
  close: z.boolean().default(false),
  seenReplyId: z.uuid().nullable().optional(),
});
export const noteBodySchema = z.strictObject({ message: makeMessageSchema(ticketLimits.replyLength, 'Note') });
/** Fields to change. Setting the state to `open` also marks a ticket as not spam. */
export const ticketChangesSchema = z
  .strictObject({
    state: z.enum(['open', 'closed', 'spam']).optional(),
    assigneeId: z.uuid().nullable().optional(),
  })
  .refine((changes) => Object.values(changes).some((value) => value !== undefined), 'Send the field to change.');

export const ticketFileParams = z.object({ id: z.string(), fileId: z.string() });
