import type { Site } from '../schemas/settings.ts';

/** Where to write to, by what it is about. */
export const contactChannels = ({ supportEmail, contactEmail }: Pick<Site, 'supportEmail' | 'contactEmail'>) => [
  { key: 'support', name: 'Support', text: 'Your account, your plan, and your bills.', email: supportEmail },
  { key: 'sales', name: 'Sales', text: 'Plans for teams, Enterprise, and invoices.', email: contactEmail },
  { key: 'technical', name: 'Technical help', text: 'The API, webhooks, and failed images.', email: supportEmail },
];
