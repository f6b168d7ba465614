import { newsletterLimits, type Topic } from '../policy/newsletter.ts';

export const topicNames: Record<Topic, string> = { news: 'News', status: 'Status notifications' };

/** The answer to everyone who subscribes. It doesn't reveal who is subscribed. */
export const subscriptionAsked = `If this address isn't subscribed yet, we've sent a link to confirm it. The link expires in ${newsletterLimits.pendingDays} days.`;
