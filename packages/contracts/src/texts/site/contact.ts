import { ticketLimits } from '../../policy/admin/tickets.ts';
import type { Site } from '../../schemas/admin/settings.ts';
import { sitePaths } from './pages.ts';

export const replyPromise = `We aim to reply within ${ticketLimits.replyHours} hours on business days.`;

/** Pages to check before writing to support, because they answer most questions. */
export const contactLinks = [
  { label: 'Documentation', to: sitePaths.documentation },
  { label: 'FAQ', to: sitePaths.help },
  { label: 'Status', to: sitePaths.status },
  { label: 'Pricing', to: sitePaths.pricing },
] as const;

export const listContactChannels = ({ supportEmail, contactEmail }: Pick<Site, 'supportEmail' | 'contactEmail'>) => [
  { key: 'support', name: 'Support', text: 'Your account, your plan, and your bills.', email: supportEmail },
  { key: 'sales', name: 'Sales', text: 'Plans for teams, Enterprise, and invoices.', email: contactEmail },
  { key: 'technical', name: 'Technical help', text: 'The API, webhooks, and failed images.', email: supportEmail },
];

/** Text of the careers page while no positions are open. It is followed by `writeToLabel` and the email address. */
export const noPositionsTexts = [
  'We have no open positions right now.',
  'You can still tell us what you would like to work on.',
] as const;
export const writeToLabel = 'Write to';
