import { formatDay } from '@uprez/contracts/texts/format';
import { intervalTexts } from '@uprez/contracts/texts/plans';

export const leadMessages = {
  title: 'Enterprise leads',
  subtitle: 'Enquiries about Enterprise, and the links with which it is bought',
  caption: 'Leads',
  search: 'Search by name, email, or company',
  lead: 'Lead',
  volume: 'Images per month',
  status: 'Status',
  created: 'Created',
  sent: (interval: 'month' | 'year', at: string) => `${intervalTexts[interval].label}, ${formatDay(at)}`,
  empty: { title: 'No leads yet', text: 'Enquiries from the pricing page appear here.' },
  invite: 'Send link to an email',
  send: 'Send checkout link',
  sendAgain: 'Send another link',
  link: {
    title: 'Send checkout link',
    to: (email: string) => `Send checkout link to ${email}`,
    text: 'The email leads to the order of Enterprise. Only the account with this email address can buy it.',
    email: 'Email',
    interval: 'Billing interval',
    noMessage: 'No message',
    submit: 'Send link',
    pending: 'Sending...',
    done: 'Checkout link sent',
  },
} as const;
