import type { Mail } from '@uprez/contracts/schemas/mails';
import { adminPages } from '@uprez/contracts/texts/admin-pages';
import { replyPromise } from '@uprez/contracts/texts/contact';
import { pluralize } from '@uprez/contracts/texts/format';
import { describeInquiry } from '@uprez/contracts/texts/tickets';
import { type MailContent, type MailFacts, pageUrl } from './mail-content.ts';
import { unlink } from './words.ts';

type Name = Extract<Mail['mail'], `ticket_${string}`>;
type Texts = { [One in Name]: (mail: Extract<Mail, { mail: One }>, facts: MailFacts) => MailContent };

const linesOf = (text: string) => text.trim().split(/\s*\n\s*/);

/** The form of applications has the inquiry as its subject. */
const aboutOf = (inquiry: string, subject: string) =>
  inquiry === subject ? inquiry : `${inquiry}: ${unlink(subject)}`;

/** Emails about messages of the contact form. */
export const ticketTexts: Texts = {
  ticket_opened: ({ ticketId, number, name, email, company, subject, message, files, ...about }, { publicUrl }) => ({
    subject: `New message #${number} from ${name}: ${subject}`,
    lines: [
      `${unlink(name)} (${unlink(email)}) sent a message. Reply in the inbox: the other administrators see your reply there.`,
      aboutOf(describeInquiry(about), subject),
      ...(company ? [`Company: ${unlink(company)}`] : []),
      ...linesOf(message).map(unlink),
      ...(files > 0 ? [`${pluralize(files, 'file')} attached.`] : []),
    ],
    action: { label: 'Open in inbox', url: pageUrl(publicUrl, adminPages.ticket.replace(':id', ticketId)) },
  }),
  ticket_received: ({ number }, { siteName, supportEmail }) => ({
    subject: `We received your message (#${number})`,
    lines: [`Thank you for contacting ${siteName}. Your message number is #${number}. ${replyPromise}`],
    after: [`If you didn't write to us, you can ignore this email. To add something, write to ${supportEmail}.`],
  }),
  ticket_reply: ({ number, subject, message }, { siteName }) => ({
    subject: `Re: ${subject} (#${number})`,
    lines: linesOf(message),
    after: [`This is a reply to your message #${number} to ${siteName}. Reply to this email to add something.`],
    greets: false,
  }),
};
