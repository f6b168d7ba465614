import { ticketLimits } from '@uprez/contracts/policy/admin/tickets';
import { formatBytes } from '@uprez/contracts/texts/format';
import { replyPromise } from '@uprez/contracts/texts/site/contact';
import { pageTitles } from '@uprez/contracts/texts/site/page-titles';
import { sitePaths } from '@uprez/contracts/texts/site/pages';
import { documentTitle } from '../../messages.ts';

const { attachments, attachmentBytes } = ticketLimits;

export const contactMessages = {
  title: documentTitle(pageTitles[sitePaths.contact]),
  heading: 'Contact',
  lead: `Send us a message, or write to one of these addresses. ${replyPromise}`,
  channels: 'Email',
  facts: 'Hours and address',
  hours: 'Support hours',
  place: 'Address',
  links: 'Quick links',
  form: 'Send a message',
  firstName: 'First Name',
  lastName: 'Last Name',
  email: 'Email',
  company: 'Company',
  optional: 'optional',
  inquiryType: 'Inquiry type',
  subject: 'Subject',
  message: 'Message',
  attachments: 'Attachments',
  addFiles: 'Add files',
  filesHint: `Up to ${attachments} files of ${formatBytes(attachmentBytes)}: PNG, JPEG, WebP, PDF, or TXT.`,
  tooMany: `You can attach up to ${attachments} files.`,
  tooLarge: (name: string) =>
    `"${name}" is larger than ${formatBytes(attachmentBytes)}. Remove it or choose a smaller file.`,
  remove: (name: string) => `Remove ${name}`,
  newsletter: "Email me news, too. We'll send you a link to confirm.",
  submit: 'Send message',
  pending: 'Sending...',
  done: 'Message sent',
  received: (number: number, email: string) =>
    `Your message number is #${number}. We'll reply to ${email}. ${replyPromise}`,
  another: 'Send another message',
  application: {
    title: 'Apply for this position',
    subject: (title: string) => `Application: ${title}`,
    submit: 'Send application',
    done: 'Application sent',
    received: (number: number, email: string) =>
      `Your application number is #${number}. We'll reply to ${email}. ${replyPromise}`,
  },
} as const;
