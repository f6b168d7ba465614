import { billingRules } from '@uprez/contracts/policy/billing';
import { limits } from '@uprez/contracts/policy/limits';
import { retention } from '@uprez/contracts/policy/plans';
import { formatDay } from '@uprez/contracts/texts/format';
import { productName } from '../../messages.ts';

export type LegalSection = readonly [title: string, ...sentences: string[]];

const hours = retention.resultMinutes / 60;

export const legalMessages = {
  owner: {
    contact: 'Contact',
    support: (email: string, hours: string) => `Support: ${email}${hours && ` (${hours})`}`,
    law: 'Governing law',
    governedBy: (law: string) => `These terms are governed by the law of ${law}.`,
  },
  updated: (day: string) => `Last updated ${formatDay(day)}`,
  terms: [
    [
      'Your account',
      `You must be at least ${limits.minAge} years old to use ${productName}.`,
      'Keep your password and your API keys secret. You are responsible for what is done with them.',
    ],
    [
      'Your images',
      'You keep all rights to your images. You allow us to process them to create the results that you request.',
      'Upload only images that you have the right to use.',
    ],
    [
      'Plans and payments',
      'Prices and quotas are listed on the pricing page. Failed jobs are not charged.',
      'You can cancel a subscription at any time. Monthly payments and packs are not refunded.',
      `Your first yearly payment is refunded in full if you cancel within ${billingRules.moneyBackDays} days.`,
    ],
    [
      'Fair use',
      'Do not disrupt the service, bypass its limits, or process illegal content. We can suspend accounts that do.',
    ],
  ],
  privacy: [
    [
      'What we store',
      'Your email address, the name you enter, a hash of your password, and a record of each job.',
      'A cookie keeps you signed in, and another one recognizes your device.',
    ],
    [
      'Your images',
      `Uploads are deleted after processing, or ${retention.failedSourceMinutes} minutes after a failure.`,
      `Results are deleted within ${hours} hours, or when you delete them.`,
      'Images are processed on our own servers.',
    ],
    ['Usage logs', `Usage logs are kept for up to ${retention.usageRowDays} days.`],
    ['Children', `${productName} is not for children under ${limits.minAge}.`],
    ['Your choices', 'You can export your data and delete your account on the account page.'],
  ],
} as const satisfies Record<'terms' | 'privacy', readonly LegalSection[]> & { updated: unknown; owner: unknown };
