import { formatDay } from '@uprez/contracts/texts/format';

export const sitePageMessages = {
  legal: {
    updated: (day: string) => `Last updated ${formatDay(day)}`,
    effective: (day: string) => `Effective ${formatDay(day)}`,
    upcoming: (day: string) => `A new version takes effect on ${formatDay(day)}.`,
    read: (number: number) => `Read version ${number}`,
    versions: 'All versions',
    version: (number: number) => `Version ${number}`,
    inForce: 'In force',
    titleOf: (title: string, number: number) => `${title}, version ${number}`,
    current: (title: string) => `Current ${title}`,
    newer: 'There is a newer version of this text.',
    changes: 'Changes',
    compareWith: 'Compare with',
    legend: (number: number) => `Compared with version ${number}. Underlined: added. Crossed out: removed.`,
    facts: {
      missing: (facts: string) => `This text is missing: ${facts}. Only administrators see this message.`,
      enter: 'Enter them in General Settings',
    },
    same: 'Both versions have the same text.',
  },
  about: { start: 'Get Started', pricing: 'See pricing' },
  careers: {
    positions: 'Open positions',
    back: 'Careers',
    write: 'Write to us',
    apply: 'Apply by email',
    subject: (title: string) => `Application: ${title}`,
  },
} as const;
