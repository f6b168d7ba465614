import { newsletterLimits, type Topic } from '../policy/newsletter.ts';

export const topicNames: Record<Topic, string> = { news: 'News', status: 'Status notifications' };

/** Response to everyone who subscribes. It doesn't reveal who is subscribed. */
export const subscriptionRequestedText = `If this address isn't subscribed yet, we've sent a link to confirm it. The link expires in ${newsletterLimits.pendingDays} days.`;

/** The page of links that are expired, used, or forged. */
export const invalidLink = {
  title: "This link isn't valid",
  text: 'It is incomplete, has expired, or was already used. Use the link in your latest email, or subscribe again.',
} as const;
