import * as z from 'zod';
import { accessKinds, anomalyLimits, anomalyRules, anomalyStates } from '../../policy/admin/logs.ts';
import { roles } from '../../policy/admin/permissions.ts';
import { limits } from '../../policy/limits.ts';
import { lineSchema, requiredLineSchema } from '../user.ts';
import { dayFields, isRangeInOrder, makeExportFields, makeFilterFields, notInOrder, tablePageFields } from './table.ts';

const userRefSchema = z.object({ id: z.uuid(), email: z.string(), name: z.string().nullable() }).nullable();

/** `count`: number of requests that the event covers. `network`: /24 prefix of IPv4, /48 prefix of IPv6. */
export const accessEventSchema = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  kind: z.enum(accessKinds),
  count: z.int(),
  /** Account that the event is about. */
  user: userRefSchema,
  /** Administrator who made the call. */
  staff: userRefSchema,
  key: z.object({ id: z.uuid(), name: z.string(), isDeleted: z.boolean() }).nullable(),
  address: z.string().nullable(),
  network: z.string().nullable(),
  userAgent: z.string().nullable(),
  /** ISO 3166 country code. */
  country: z.string().nullable(),
  method: z.string(),
  path: z.string(),
  status: z.int(),
  requestId: z.string(),
});
export type AccessEventView = z.infer<typeof accessEventSchema>;

/** A time, or a day in UTC. */
const time = z.union([z.iso.date(), z.iso.datetime({ offset: true })], { error: 'Enter a date or a time.' }).optional();
type Range = { from?: string | undefined; to?: string | undefined };
const isOrdered = ({ from, to }: Range) => !from || !to || Date.parse(from) <= Date.parse(to);
const orderIssue = { path: ['to'], error: 'The end must not be before the start.' };
const filter = {
  /** Part of an email address, name, path, or user agent, or a complete IP address, network, or request ID. */
  search: lineSchema.max(limits.searchLength).optional(),
  user: z.uuid().optional(),
  key: z.uuid().optional(),
  address: z.union([z.ipv4(), z.ipv6()], { error: 'Enter an IP address.' }).optional(),
  /** Start of the range, and its exclusive end. If `to` is a day, that day is included. */
  from: time,
  to: time,
  ...makeFilterFields('accessLog'),
};
export const accessLogQuerySchema = z.object({ ...filter, ...tablePageFields }).refine(isOrdered, orderIssue);
export const accessLogExportSchema = z
  .object({ ...filter, ...makeExportFields('accessLog') })
  .refine(isOrdered, orderIssue);

/**
 * Description of an anomaly. `account`: email address of the account. `key`: name of the API key. `count`: number of
 * new sign-ins in a day, highest number of failures within ten minutes, or highest number of calls in an hour.
 * `median`: median number of calls per hour.
 */
export const anomalyFactsSchema = z.object({
  rule: z.enum(anomalyRules),
  account: z.string().nullable(),
  key: z.string().nullable(),
  address: z.string().nullable(),
  country: z.string().nullable(),
  count: z.int(),
  median: z.number().nullable(),
});
export type AnomalyFacts = z.infer<typeof anomalyFactsSchema>;

export const anomalySchema = anomalyFactsSchema.extend({
  id: z.uuid(),
  /** Day (UTC) of the anomaly. */
  day: z.iso.date(),
  foundAt: z.iso.datetime(),
  userId: z.uuid().nullable(),
  keyId: z.uuid().nullable(),
  userAgent: z.string().nullable(),
  acknowledgedAt: z.iso.datetime().nullable(),
  /** Email address of the administrator. Also null if their account was deleted. */
  acknowledgedBy: z.string().nullable(),
  note: z.string().nullable(),
});
export type Anomaly = z.infer<typeof anomalySchema>;
export const anomaliesQuerySchema = z.object({
  status: z.enum(anomalyStates).optional(),
  ...tablePageFields,
});

export const acknowledgeBodySchema = z.strictObject({
  note: requiredLineSchema('Enter a note.').max(
    anomalyLimits.noteLength,
    `Note can't be longer than ${anomalyLimits.noteLength} characters.`,
  ),
});

const fieldsSchema = z.record(z.string(), z.unknown());

export const auditEntryViewSchema = z.object({
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
  /** The actor's role at the time of the action. Null if the role isn't known. */
  role: z.enum(roles).nullable(),
  /**
   * `email` and `name`: the user that the subject is or belongs to, if the user's account exists. `accountId`: the
   * account, even if it was deleted. `label`: display name of the subject, such as an invoice number or a title.
   * `amount`: amount of a payment, in cents.
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
  /** Display names for the account, invoice, and subscription IDs in `before` and `after`. */
  names: z.record(z.string(), z.string()),
  reason: z.string().nullable(),
  address: z.string().nullable(),
  requestId: z.string().nullable(),
  /** The error code, if the write was rejected. */
  rejected: z.string().nullable(),
  createdAt: z.iso.datetime(),
});
export type AuditEntryView = z.infer<typeof auditEntryViewSchema>;

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
  ...makeFilterFields('audits'),
};
export const auditsQuerySchema = z.object({ ...auditFilter, ...tablePageFields }).refine(isRangeInOrder, notInOrder);
export const auditsExportSchema = z
  .object({ ...auditFilter, ...makeExportFields('audits') })
  .refine(isRangeInOrder, notInOrder);
