import { formatDay } from '@uprez/contracts/texts/format';

export const sitePageMessages = {
  updated: (day: string) => `Last updated ${formatDay(day)}`,
  about: { start: 'Get started', pricing: 'See pricing' },
  careers: {
    positions: 'Open positions',
    none: { title: 'No open roles', text: 'Tell us anyway what you would like to work on.' },
    back: 'Careers',
    write: 'Write to us',
    apply: 'Apply by email',
    subject: (title: string) => `Application: ${title}`,
  },
} as const;
