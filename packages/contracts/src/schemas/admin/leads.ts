import * as z from 'zod';
import { limits } from '../../policy/limits.ts';
import { removeBidi, storedTextSchema } from '../stored-text.ts';
import { emailSchema, lineSchema, requiredLineSchema, toName } from '../user.ts';

/** An inquiry about Enterprise. */
export const createLeadBodySchema = z.strictObject({
  name: toName(requiredLineSchema('Name is required')).max(limits.nameLength),
  email: emailSchema,
  company: toName(lineSchema).max(limits.nameLength).default(''),
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
