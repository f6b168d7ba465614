import * as z from 'zod';
import { limits } from '../../policy/limits.ts';
import { publicSources, subscriberSources, subscriberStates, topics } from '../../policy/newsletter.ts';
import { statusServices } from '../../policy/status.ts';
import { makeExportFields, makeFilterFields, tablePageFields } from '../admin/table.ts';
import { emailSchema, lineSchema } from '../user.ts';

const removeDuplicates = <T>(values: readonly T[]): T[] => [...new Set(values)];
const topicsSchema = z.array(z.enum(topics)).max(topics.length).transform(removeDuplicates);
/** Services to follow in the topic `status`. Empty means all services. */
const servicesSchema = z.array(z.enum(statusServices)).max(statusServices.length).transform(removeDuplicates);

export const subscribeBodySchema = z.strictObject({
  email: emailSchema,
  topics: z.array(z.enum(topics)).min(1, 'Choose at least one topic.').max(topics.length).transform(removeDuplicates),
  services: servicesSchema.default([]),
  source: z.enum(publicSources).default('site'),
  /** Honeypot field that people don't see. Requests that fill it are ignored. */
  website: z.string().max(1_000).default(''),
});
export type NewSubscriber = z.output<typeof subscribeBodySchema>;
export type SubscribeBody = z.input<typeof subscribeBodySchema>;

/** Malformed tokens are replaced with an empty string. They then get the same response as invalid tokens. */
const tokenSchema = z.string().max(200).catch('');
export const linkTokenSchema = z.strictObject({ token: tokenSchema });
export const linkQuerySchema = z.object({ token: tokenSchema });
/**
 * `topic`: topic to unsubscribe from. All topics by default. `redirect`: responds with a redirect to a page, for
 * browsers without JavaScript.
 */
export const unsubscribeQuerySchema = linkQuerySchema.extend({
  topic: z.enum(topics).optional().catch(undefined),
  redirect: z.literal('true').optional().catch(undefined),
});

/** Without topics, it gets no emails. */
export const subscriptionSchema = z.object({
  email: z.string(),
  topics: z.array(z.enum(topics)),
  /** Services followed in the topic `status`. Empty means all services. */
  services: z.array(z.enum(statusServices)),
});
export type NewsletterSubscription = z.infer<typeof subscriptionSchema>;
/** `token`: token for the link to the preferences page. */
export const confirmedSubscriptionSchema = subscriptionSchema.extend({ token: z.string() });
/** If `topics` is empty, the email address is unsubscribed. */
export const interestsBodySchema = z.strictObject({ topics: topicsSchema, services: servicesSchema.default([]) });

/** Until the subscription is confirmed, topics and services are the requested ones. */
export const subscriberSchema = z.object({
  id: z.uuid(),
  email: z.string(),
  state: z.enum(subscriberStates),
  topics: z.array(z.enum(topics)),
  services: z.array(z.enum(statusServices)),
  /** Null if the subscriber has unsubscribed. */
  source: z.enum(subscriberSources).nullable(),
  createdAt: z.iso.datetime(),
  confirmedAt: z.iso.datetime().nullable(),
  /** When the subscriber unsubscribed, or when a mail server rejected the email address. */
  endedAt: z.iso.datetime().nullable(),
});
export type Subscriber = z.infer<typeof subscriberSchema>;

const subscriberFilter = {
  search: lineSchema.max(limits.searchLength).optional(),
  ...makeFilterFields('subscribers'),
};
export const subscribersQuerySchema = z.object({ ...subscriberFilter, ...tablePageFields });
export const subscribersExportSchema = z.object({ ...subscriberFilter, ...makeExportFields('subscribers') });
