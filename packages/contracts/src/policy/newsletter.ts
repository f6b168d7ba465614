import type { StatusService } from './status.ts';

/** `news`: posts and product news. `status`: incidents and maintenance. */
export const topics = ['news', 'status'] as const;
export type Topic = (typeof topics)[number];

/** `pending`: not confirmed yet. `bounced`: a mail server refused the address. Only `confirmed` ones get mail. */
export const subscriberStates = ['pending', 'confirmed', 'unsubscribed', 'bounced'] as const;
export type SubscriberState = (typeof subscriberStates)[number];

/** The form that a subscription came from. `site`: another page. */
export const publicSources = ['blog', 'status', 'site'] as const;
export const subscriberSources = [...publicSources, 'contact'] as const;
export type SubscriberSource = (typeof subscriberSources)[number];

/** `written`: an own text. `article`: a published post. `incident`: an update of an incident, or of maintenance. */
export const campaignKinds = ['written', 'article', 'incident'] as const;
export type CampaignKind = (typeof campaignKinds)[number];

export const campaignStates = ['draft', 'scheduled', 'sending', 'paused', 'sent', 'cancelled'] as const;
export type CampaignState = (typeof campaignStates)[number];

/** `skipped`: the recipient had left before the email was sent. */
export const campaignMailStates = ['pending', 'sent', 'failed', 'skipped'] as const;
export type CampaignMailState = (typeof campaignMailStates)[number];

/** Sort orders. A minus means descending. The first one is the default. */
export const subscriberSorts = ['-created', 'created'] as const;
export type SubscriberSort = (typeof subscriberSorts)[number];
export const campaignSorts = ['-created', 'created'] as const;
export type CampaignSort = (typeof campaignSorts)[number];

/** What someone gets. `services`: of the topic `status`; empty means all of them. */
export type Interests = { topics: readonly Topic[]; services: readonly StatusService[] };

export const newsletterLimits = {
  subjectLength: 150,
  /** The Markdown text of a campaign, characters. */
  textLength: 20_000,
  /** Life of a link that confirms a subscription, and of a subscription that isn't confirmed, days. */
  pendingDays: 7,
  /** Links to confirm a subscription per email address within 24 hours. */
  confirmationsPerDay: 2,
  /** Attempts to send an email of a campaign. */
  attempts: 5,
  /** Failed emails that a campaign lists. */
  failures: 100,
} as const;
