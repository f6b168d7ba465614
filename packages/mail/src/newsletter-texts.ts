import { newsletterLimits, type Topic } from '@uprez/contracts/policy/newsletter';
import type { CampaignContent, Mail } from '@uprez/contracts/schemas/mails';
import { formatList, pluralize } from '@uprez/contracts/texts/format';
import { topicNames } from '@uprez/contracts/texts/newsletter';
import { mailPages } from '@uprez/contracts/texts/pages';
import { type MailContent, type MailFacts, pageUrl } from './mail-content.ts';

type Name = 'confirm_subscription' | 'campaign_test';
type Texts = { [One in Name]: (mail: Extract<Mail, { mail: One }>, facts: MailFacts) => MailContent };

const namesOf = (topics: readonly Topic[]) => formatList(topics.map((topic) => topicNames[topic].toLowerCase()));

/** What a campaign says. Authors greet their readers themselves. */
const contentOf = ({ topic: _, ...content }: CampaignContent): MailContent => ({ ...content, greets: false });

/** Emails about subscriptions. */
export const newsletterTexts: Texts = {
  confirm_subscription: ({ topics }, { siteName, publicUrl, token }) => ({
    subject: `Confirm your subscription to ${siteName}`,
    lines: [`Confirm that you want to get ${namesOf(topics)} from ${siteName} by email.`],
    action: { label: 'Confirm subscription', url: pageUrl(publicUrl, mailPages.confirmSubscription, token) },
    after: [
      `This link works once and expires in ${pluralize(newsletterLimits.pendingDays, 'day')}.`,
      "If you didn't request this, you can ignore this email. You won't get other emails.",
    ],
    greets: false,
  }),
  campaign_test: ({ campaign }) => ({
    ...contentOf(campaign),
    subject: `[Test] ${campaign.subject}`,
    after: ['This is a test. Subscribers get links to unsubscribe and to their email preferences here.'],
  }),
};
