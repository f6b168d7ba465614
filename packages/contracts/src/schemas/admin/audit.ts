import * as z from 'zod';
import { roles } from '../../policy/admin/permissions.ts';
import { limits } from '../../policy/limits.ts';
import { lineSchema } from '../user.ts';
import { dayFields, exportFields, filterFields, isInOrder, notInOrder, tablePageFields } from './table.ts';

const fieldsSchema = z.record(z.string(), z.unknown());

/** An entry of the audit log. */
export const auditSchema = z.object({
  id: z.uuid(),
  /** Name of the action, such as `user.role`. */
  action: z.string(),
  /**
   * `deleted`: an administrator whose account was deleted, identified by the masked email address. `operator`: a
   * command on the server.
   */
  actor: z.object({
    kind: z.enum(['account', 'deleted', 'operator']),
    id: z.uuid().nullable(),
    email: z.string().nullable(),
    name: z.string().nullable(),
  }),
  /** The actor's role at that time. Null if it isn't known. */
  role: z.enum(roles).nullable(),
  /**
   * `email` and `name`: the user that the subject is or belongs to, if their account exists. `accountId`: the account,
   * even if it was deleted. `label`: display name of the subject, such as an invoice number or a title. `amount`:
   * amount of a payment, cents.
   */
  subject: z.object({
    kind: z.string(),
    id: z.string().nullable(),
    label: z.string().nullable(),
    amount: z.int().nullable(),
    currency: z.string().nullable(),
    accountId: z.uuid().nullable(),
    email: z.string().nullable(),
    name: z.string().nullable(),
  }),
  before: fieldsSchema,
  after: fieldsSchema,
  /** Names of the accounts, invoices, and subscriptions whose IDs are in `before` and `after`. */
  names: z.record(z.string(), z.string()),
  reason: z.string().nullable(),
  address: z.string().nullable(),
  requestId: z.string().nullable(),
  /** The error code, if the write was rejected. */
  rejected: z.string().nullable(),
  createdAt: z.iso.datetime(),
});
export type Audit = z.infer<typeof auditSchema>;

const auditFilter = {
  /** Part of a name or email address of the actor or user, the reason, subject, IP address, or request ID. */
  search: lineSchema.max(limits.searchLength).optional(),
  actor: z.uuid().optional(),
  /** Subject in the form `user:<id>`. */
  subject: lineSchema.max(200).optional(),
  /**
   * ID of an account. Finds entries about the account, and about its payments, subscriptions, jobs, keys, and tickets.
   */
  account: z.uuid().optional(),
  ...dayFields,
  ...filterFields('audits'),
};
export const auditsQuerySchema = z.object({ ...auditFilter, ...tablePageFields }).refine(isInOrder, notInOrder);
export const auditsExportSchema = z.object({ ...auditFilter, ...exportFields('audits') }).refine(isInOrder, notInOrder);
