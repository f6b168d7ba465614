import type { Mail } from '@uprez/contracts/schemas/mails';
import type { MailContent, MailFacts } from './mail-content.ts';
import { texts } from './texts.ts';
import { greet, oneLine } from './words.ts';

export type RenderedMail = { subject: string; html: string; text: string };

/** A mail as it is sent. What people chose (names, devices, addresses) can be neither markup nor a link in it. */
export async function renderMail(mail: Mail, facts: MailFacts): Promise<RenderedMail> {
  // Checked by the type of `texts`: each name's text takes that name's mail.
  const write = texts[mail.mail] as (mail: Mail, facts: MailFacts) => MailContent;
  const content = write(mail, facts);
  // Half a second and 40 MB that a process without mails need not pay.
  const { renderHtml } = await import('./render-html.tsx');
  return { subject: oneLine(content.subject), html: await renderHtml(content, facts), text: writeText(content, facts) };
}

function writeText({ lines, action, after = [] }: MailContent, { firstName, siteName, publicUrl }: MailFacts): string {
  const call = action ? [`${action.label}:\n${action.url}`] : [];
  const paragraphs = [greet(firstName), ...lines, ...call, ...after, `-- \n${oneLine(siteName)}, ${publicUrl}`];
  return `${paragraphs.join('\n\n')}\n`;
}
