import type { Mail } from '@uprez/contracts/schemas/mails';
import type { MailContent, MailFacts, Subscription } from './mail-content.ts';
import { texts } from './texts.ts';
import { footer, greetingOf, oneLine } from './words.ts';

export type RenderedMail = { subject: string; html: string; text: string };

/** Renders an email as HTML and plain text. User input (names, devices, addresses) is never rendered as markup or links. */
export async function renderMail(mail: Mail, facts: MailFacts): Promise<RenderedMail> {
  // Safe by the type of `texts`: each entry takes the email of its name.
  const write = texts[mail.mail] as (mail: Mail, facts: MailFacts) => MailContent;
  return renderContent(write(mail, facts), facts);
}

/** Renders what an email says. */
export async function renderContent(content: MailContent, facts: MailFacts): Promise<RenderedMail> {
  // Imported on first use: it takes half a second and 40 MB.
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
