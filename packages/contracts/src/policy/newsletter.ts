import type { StatusService } from './status.ts';

/** `news`: posts and product news. `status`: incidents and maintenance. */
export const topics = ['news', 'status'] as const;
export type Topic = (typeof topics)[number];

/**
 * `pending`: not confirmed yet. `bounced`: a mail server rejected the email address. Only `confirmed` subscribers
 * receive email.
 */
export const subscriberStates = ['pending', 'confirmed', 'unsubscribed', 'bounced'] as const;
export type SubscriberState = (typeof subscriberStates)[number];

/** Page on which the user submitted the subscription form. `site`: any other page. */
export const publicSources = ['blog', 'status', 'site'] as const;
export const subscriberSources = [...publicSources, 'contact'] as const;
export type SubscriberSource = (typeof subscriberSources)[number];

/**
 * `written`: content written for the campaign. `article`: a published post. `incident`: an update on an incident or
 * maintenance.
 */
export const campaignKinds = ['written', 'article', 'incident'] as const;
export type CampaignKind = (typeof campaignKinds)[number];

export const campaignStates = ['draft', 'scheduled', 'sending', 'paused', 'sent', 'cancelled'] as const;
export type CampaignState = (typeof campaignStates)[number];

/** `skipped`: the recipient unsubscribed before the email was sent. */
export const campaignMailStates = ['pending', 'sent', 'failed', 'skipped'] as const;
export type CampaignMailState = (typeof campaignMailStates)[number];

export const subscriberSorts = ['-created', 'created'] as const;
export type SubscriberSort = (typeof subscriberSorts)[number];
export const campaignSorts = ['-created', 'created'] as const;
export type CampaignSort = (typeof campaignSorts)[number];

/** `services`: services covered by the topic `status`; empty means all. */
export type Interests = { topics: readonly Topic[]; services: readonly StatusService[] };

export const newsletterLimits = {
  subjectLength: 150,
  textLength: 20_000,
  /** Lifetime of a confirmation link, and of an unconfirmed subscription, in days. */
  pendingDays: 7,
  /** Maximum number of confirmation links per mailbox in 24 hours. */
  confirmationsPerDay: 2,
  attempts: 5,
  failures: 100,
} as const;

export const topicNames: Record<Topic, string> = { news: 'News', status: 'Status notifications' };

/** Response to every subscription request. Doesn't reveal who is subscribed. */
export const subscriptionRequestedText = `If this address isn't subscribed yet, we've sent a link to confirm it. The link expires in ${newsletterLimits.pendingDays} days.`;

export const invalidLink = {
  title: "This link isn't valid",
  text: 'It is incomplete, has expired, or was already used. Use the link in your latest email, or subscribe again.',
} as const;
