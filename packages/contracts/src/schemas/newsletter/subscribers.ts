import * as z from 'zod';
import { limits } from '../../policy/limits.ts';
import { publicSources, subscriberSources, subscriberStates, topics } from '../../policy/newsletter.ts';
import { statusServices } from '../../policy/status.ts';
import { exportFields, filterFields, tablePageFields } from '../admin/table.ts';
import { emailSchema, lineSchema } from '../user.ts';

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];
const topicsSchema = z.array(z.enum(topics)).max(topics.length).transform(unique);
/** Of the topic `status`; empty: all services. */
const servicesSchema = z.array(z.enum(statusServices)).max(statusServices.length).transform(unique);

export const subscribeBodySchema = z.strictObject({
  email: emailSchema,
  topics: z.array(z.enum(topics)).min(1, 'Choose at least one topic.').max(topics.length).transform(unique),
  services: servicesSchema.default([]),
  source: z.enum(publicSources).default('site'),
  /** People don't see this field. Requests that fill it are from bots, and are dropped. */
  website: z.string().max(1_000).default(''),
});
export type NewSubscription = z.output<typeof subscribeBodySchema>;
export type SubscribeBody = z.input<typeof subscribeBodySchema>;

/** Anything that can't be a token is answered like one that isn't valid. */
const tokenSchema = z.string().max(200).catch('');
export const linkTokenSchema = z.strictObject({ token: tokenSchema });
/** The token of the links in emails. */
export const linkQuerySchema = z.object({ token: tokenSchema });
/** `topic`: the only topic to leave. Otherwise: all of them. `redirect`: shows a page, to people without JavaScript. */
export const unsubscribeQuerySchema = linkQuerySchema.extend({
  topic: z.enum(topics).optional().catch(undefined),
  redirect: z.literal('true').optional().catch(undefined),
});

/** What the owner of an email address gets. Without topics, they get nothing. */
export const subscriptionSchema = z.object({
  email: z.string(),
  topics: z.array(z.enum(topics)),
  /** Of the topic `status`; empty: all services. */
  services: z.array(z.enum(statusServices)),
});
export type Subscription = z.infer<typeof subscriptionSchema>;
/** `token`: of the link to the preferences. */
export const confirmedSubscriptionSchema = subscriptionSchema.extend({ token: z.string() });
/** Without topics: unsubscribes. */
export const interestsBodySchema = z.strictObject({ topics: topicsSchema, services: servicesSchema.default([]) });

/** A subscriber, for administrators. Topics and services of a pending one are those that it asked for. */
export const subscriberSchema = z.object({
  id: z.uuid(),
  email: z.string(),
  state: z.enum(subscriberStates),
  topics: z.array(z.enum(topics)),
  services: z.array(z.enum(statusServices)),
  /** Null after unsubscribing. */
  source: z.enum(subscriberSources).nullable(),
  createdAt: z.iso.datetime(),
  confirmedAt: z.iso.datetime().nullable(),
  /** When the subscriber left, or a mail server refused the address. */
  endedAt: z.iso.datetime().nullable(),
});
export type Subscriber = z.infer<typeof subscriberSchema>;

const subscriberFilter = {
  /** Part of the email address. */
  search: lineSchema.max(limits.searchLength).optional(),
  ...filterFields('subscribers'),
};
export const subscribersQuerySchema = z.object({ ...subscriberFilter, ...tablePageFields });
export const subscribersExportSchema = z.object({ ...subscriberFilter, ...exportFields('subscribers') });
