import { formatDay } from '@uprez/contracts/texts/format';
import { intervalTexts } from '@uprez/contracts/texts/plans';

export const leadMessages = {
  title: 'Enterprise leads',
  subtitle: 'Enterprise inquiries and checkout links',
  caption: 'Leads',
  search: 'Search by name, email, or company',
  lead: 'Lead',
  volume: 'Images per month',
  status: 'Status',
  created: 'Created',
  sent: (interval: 'month' | 'year', at: string) => `${intervalTexts[interval].label}, ${formatDay(at)}`,
  empty: { title: 'No leads yet', text: 'Inquiries from the pricing page appear here.' },
  invite: 'Send link to an email address',
  send: 'Send checkout link',
  sendAgain: 'Send another link',
  link: {
    title: 'Send checkout link',
    to: (email: string) => `Send checkout link to ${email}`,
    text: 'The email links to the Enterprise checkout. Only the account with this email address can use it.',
    email: 'Email',
    interval: 'Billing interval',
    noMessage: 'No message',
    submit: 'Send link',
    pending: 'Sending...',
    done: 'Checkout link sent',
  },
} as const;
