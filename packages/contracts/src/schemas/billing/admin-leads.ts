import * as z from 'zod';
import { leadStates } from '../../policy/admin/leads.ts';
import { billingIntervals } from '../../policy/billing/billing.ts';
import { limits } from '../../policy/limits.ts';
import { exportFields, filterFields, tablePageFields } from '../admin/table.ts';
import { emailSchema, lineSchema } from '../user.ts';

/**
 * An inquiry about Enterprise, or an email address that an administrator sent a checkout link to. Strings may be empty.
 */
export const adminLeadSchema = z.object({
  id: z.uuid(),
  /** Account of the sender, if they were signed in. */
  accountId: z.uuid().nullable(),
  name: z.string(),
  email: z.string(),
  company: z.string(),
  volume: z.string(),
  message: z.string(),
  state: z.enum(leadStates),
  createdAt: z.iso.datetime(),
  /** The latest checkout link. */
  link: z.object({ interval: z.enum(billingIntervals), sentAt: z.iso.datetime() }).nullable(),
});
export type AdminLead = z.infer<typeof adminLeadSchema>;

const leadFilter = {
  /** Part of the name, email address, or company. */
  search: lineSchema.max(limits.searchLength).optional(),
  ...filterFields('leads'),
};
export const leadsQuerySchema = z.object({ ...leadFilter, ...tablePageFields });
export const leadsExportSchema = z.object({ ...leadFilter, ...exportFields('leads') });

const interval = z.enum(billingIntervals);
export const sendCheckoutLinkBodySchema = z.strictObject({ interval });
export const inviteLeadBodySchema = z.strictObject({ email: emailSchema, interval });
