import type { CampaignContent } from '@uprez/contracts/schemas/mails';
import { topicNames } from '@uprez/contracts/texts/newsletter';
import { mailPages } from '@uprez/contracts/texts/site/pages';
import { type MailFacts, pageUrl } from './mail-content.ts';
import { type RenderedMail, renderContent } from './render-mail.ts';

type SiteFacts = Omit<MailFacts, 'firstName' | 'token' | 'subscription'>;

/** Renders a campaign for a recipient. `token`: of the links. */
export function renderCampaign(
  { topic, ...content }: CampaignContent,
  { token, ...facts }: SiteFacts & { token: string },
): Promise<RenderedMail> {
  const unsubscribeUrl = new URL(pageUrl(facts.publicUrl, mailPages.unsubscribe, token));
  unsubscribeUrl.searchParams.set('topic', topic);
  const subscription = {
    reason: `You get this email because you subscribed to ${topicNames[topic].toLowerCase()} from ${facts.siteName}.`,
    unsubscribeUrl: unsubscribeUrl.href,
    preferencesUrl: pageUrl(facts.publicUrl, mailPages.preferences, token),
  };
  return renderContent({ ...content, greets: false }, { ...facts, firstName: null, subscription });
}
