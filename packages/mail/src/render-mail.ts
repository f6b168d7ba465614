import { topicNames } from '@uprez/contracts/policy/newsletter';
import type { CampaignContent, Mail } from '@uprez/contracts/schemas/mails';
import { mailPages } from '@uprez/contracts/texts/site/pages';
import {
  footer,
  greetingOf,
  type MailContent,
  type MailFacts,
  oneLine,
  pageUrl,
  type Subscription,
} from './mail-content.ts';
import { texts } from './texts.ts';

export type RenderedMail = { subject: string; html: string; text: string };

/** Renders an email as HTML and plain text. User input (names, devices, addresses) is never rendered as markup or links. */
export async function renderMail(mail: Mail, facts: MailFacts): Promise<RenderedMail> {
  // Safe, because each entry in `texts` accepts the email with the same name.
  const write = texts[mail.mail] as (mail: Mail, facts: MailFacts) => MailContent;
  return renderContent(write(mail, facts), facts);
}

async function renderContent(content: MailContent, facts: MailFacts): Promise<RenderedMail> {
  // Imported on first use, because loading it takes half a second and 40 MB of memory.
  const { renderHtml } = await import('./render-html.ts');
  return { subject: oneLine(content.subject), html: await renderHtml(content, facts), text: writeText(content, facts) };
}

function writeText(content: MailContent, facts: MailFacts): string {
  const { lines, action, body, after = [] } = content;
  const { siteName, supportEmail, publicUrl, owner, subscription } = facts;
  const call = action ? [`${action.label}:\n${action.url}`] : [];
  const paragraphs = [
    ...greetingOf(content, facts),
    ...lines,
    ...(body ? [body.text.trim()] : []),
    ...call,
    ...after,
    ...(subscription ? [describeSubscription(subscription)] : []),
    `-- \n${footer({ siteName: oneLine(siteName), supportEmail, publicUrl, owner })}`,
  ];
  return `${paragraphs.join('\n\n')}\n`;
}

const describeSubscription = ({ reason, unsubscribeUrl, preferencesUrl }: Subscription) =>
  `${reason}\nUnsubscribe: ${unsubscribeUrl}\nEmail preferences: ${preferencesUrl}`;

type SiteFacts = Omit<MailFacts, 'firstName' | 'token' | 'subscription'>;

/** Renders a campaign for one recipient. `token` is the recipient's token for the unsubscribe and preferences links. */
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
