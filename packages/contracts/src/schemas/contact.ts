import * as z from 'zod';
import { inquiryTypes, ticketLimits } from '../policy/admin/tickets.ts';
import { limits } from '../policy/limits.ts';
import { removeBidi, storedTextSchema } from './stored-text.ts';
import { emailSchema, lineSchema, requiredLineSchema, toNameSchema } from './user.ts';

const formatTooLong = (what: string, most: number) => `${what} can't be longer than ${most} characters.`;
const makeNameSchema = (what: string) =>
  toNameSchema(requiredLineSchema(`${what} is required`)).max(
    limits.nameLength,
    formatTooLong(what, limits.nameLength),
  );

/**
 * Returns a schema for multiline text that isn't blank. `most`: maximum length, in characters. `label`: field name in
 * error messages.
 */
export const makeMessageSchema = (most: number, label = 'Message') =>
  storedTextSchema
    // Browsers submit each line break in a form as two characters (CRLF), which would count twice toward the limit.
    .transform((text) => text.replaceAll(/\r\n?/g, '\n'))
    .refine((text) => text.trim() !== '', `${label} is required`)
    .refine((text) => text.length <= most, formatTooLong(label, most));

export const contactFieldsSchema = z.strictObject({
  firstName: makeNameSchema('First name'),
  lastName: makeNameSchema('Last name'),
  email: emailSchema,
  company: toNameSchema(lineSchema).max(limits.nameLength, formatTooLong('Company', limits.nameLength)).default(''),
  inquiryType: z.enum(inquiryTypes, { error: 'Choose an inquiry type.' }),
  subject: requiredLineSchema('Subject is required')
    .max(ticketLimits.subjectLength, formatTooLong('Subject', ticketLimits.subjectLength))
    .transform(removeBidi),
  message: makeMessageSchema(ticketLimits.messageLength),
});
export type ContactFields = z.input<typeof contactFieldsSchema>;

/** All form fields except the attached files. */
export const contactFormSchema = contactFieldsSchema.extend({
  inquiryType: contactFieldsSchema.shape.inquiryType.default('general'),
  /** Slug of an open position. If present, the message is an application. */
  position: storedTextSchema.max(200).optional(),
  /** Whether to also send the sender a link that confirms a newsletter subscription. */
  newsletter: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true'),
  /** Signed time at which the form was opened. Forms that are submitted too fast or too late are treated as spam. */
  formToken: z.string().max(200).default(''),
  /** Honeypot field that people don't see. Messages that fill it are marked as spam. */
  website: z.string().max(1_000).default(''),
});
export type ContactForm = z.output<typeof contactFormSchema>;

export const contactTokenSchema = z.object({ token: z.string() });
export const receivedTicketSchema = z.object({ number: z.int() });

export const createLeadBodySchema = z.strictObject({
  name: toNameSchema(requiredLineSchema('Name is required')).max(limits.nameLength),
  email: emailSchema,
  company: toNameSchema(lineSchema).max(limits.nameLength).default(''),
  /** Images per month, as entered by the sender. */
  volume: lineSchema.max(limits.nameLength).transform(removeBidi).default(''),
  message: storedTextSchema
    .refine((text) => text.trim() !== '', 'Message is required')
    .refine(
      (text) => text.length <= limits.leadMessageLength,
      `Message can't be longer than ${limits.leadMessageLength} characters.`,
    ),
  /** Honeypot field that people don't see. Requests that fill it come from bots and are dropped. */
  website: z.string().max(1_000).default(''),
});
export type NewLead = z.output<typeof createLeadBodySchema>;
export type NewLeadInput = z.input<typeof createLeadBodySchema>;
