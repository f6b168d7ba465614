import type { Mail } from '@uprez/contracts/schemas/mails';
import type { MailContent, MailFacts } from './mail-content.ts';
import { texts } from './texts.ts';
import { footer, greetingOf, oneLine } from './words.ts';

export type RenderedMail = { subject: string; html: string; text: string };

/** Renders an email as HTML and plain text. User input (names, devices, addresses) is never rendered as markup or links. */
export async function renderMail(mail: Mail, facts: MailFacts): Promise<RenderedMail> {
  // Safe by the type of `texts`: each entry takes the email of its name.
  const write = texts[mail.mail] as (mail: Mail, facts: MailFacts) => MailContent;
  const content = write(mail, facts);
  // Imported on first use: it takes half a second and 40 MB.
  const { renderHtml } = await import('./render-html.tsx');
  return { subject: oneLine(content.subject), html: await renderHtml(content, facts), text: writeText(content, facts) };
}

function writeText(content: MailContent, facts: MailFacts): string {
  const { lines, action, after = [] } = content;
  const { siteName, supportEmail, publicUrl, owner } = facts;
  const call = action ? [`${action.label}:\n${action.url}`] : [];
  const paragraphs = [
    ...greetingOf(content, facts),
    ...lines,
    ...call,
    ...after,
    `-- \n${footer({ siteName: oneLine(siteName), supportEmail, publicUrl, owner })}`,
  ];
  return `${paragraphs.join('\n\n')}\n`;
}
