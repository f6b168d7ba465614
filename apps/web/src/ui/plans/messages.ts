import { billingRules } from '@uprez/contracts/policy/billing/billing';
import { inputFormatsText } from '@uprez/contracts/policy/images/image-formats';
import { limits } from '@uprez/contracts/policy/limits';
import { currentPlans, retention } from '@uprez/contracts/policy/plans/plans';
import { formatBytes, formatCount } from '@uprez/contracts/texts/format';

/**
 * `least`, `most`: lowest and highest output limits of all plans, in pixels. `files`: lowest and highest file size
 * limits, in bytes.
 */
type QuestionFacts = {
  least: number;
  most: number;
  files: { least: number; most: number };
  isForSale: boolean;
  hasPacks: boolean;
};

const describeFiles = ({ least, most }: QuestionFacts['files']) =>
  least === most
    ? `In the web app, files can be up to ${formatBytes(most)}.`
    : `In the web app, the file size limit is ${formatBytes(least)} to ${formatBytes(most)}, depending on your plan.`;

export const pricingMessages = {
  title: 'Plans for one image or thousands',
  lead: 'All plans include every engine. They differ in the number and size of images, in processing time per image, and in API access.',
  list: 'Plans',
  interval: 'Billing interval',
  refund: {
    year: `Get a full refund if you cancel your first yearly plan within ${billingRules.moneyBackDays} days and have used no more than ${billingRules.moneyBackUsedPercent}% of one month's images.`,
    month: "You can cancel a monthly plan at any time. Monthly payments aren't refunded.",
  },
  tax: 'Prices exclude tax. Where tax applies, it is added when you order.',
  features: 'Included',
  limitations: 'Limitations',
  current: 'Your plan',
  currentButton: 'Current plan',
  start: 'Get Started',
  choose: (name: string) => `Choose ${name}`,
  changeTo: (name: string) => `Change to ${name}`,
  base: 'Applies when your plan ends',
  byMail: 'Contact sales',
  byForm: 'Send a message',
  draft: (name: string) => ({
    subject: `${name} plan`,
    body: 'Images per month:\nImage sizes:\nStart date:\n',
  }),
  addressFailed: "Couldn't load contact email",
  unavailable: {
    title: 'Plan Not Available',
    description: 'This plan is not yet configured. Please contact support.',
  },
  counts: {
    title: 'What counts as an image',
    lead: 'Each processed image counts as 1 image, regardless of its size.',
    rows: [
      ['Upscaling with AI', '1 AI image'],
      ['Resizing, converting, or optimizing without AI', '1 standard image'],
      ['Any image on a plan with a shared quota', '1 image'],
      ['An animation, including all of its frames', '1 image'],
      ['A failed job', 'Not counted'],
      [`A job canceled in the queue or its first ${limits.freeCancelSeconds} seconds of processing`, 'Not counted'],
      ['An engine preview', 'Not counted'],
      ['Downloading a result again', 'Not counted'],
    ],
  },
  comparison: {
    title: 'Compare plans',
    region: 'Plan comparison',
    what: 'Feature',
    shared: (count: string) => `${count}, shared`,
    pauses: 'Processing pauses',
    goesOn: 'Processing continues',
    factor: (factor: number) => `${factor}x`,
    megapixels: (count: string) => `${count} megapixels`,
    turns: (count: string) => `${count}x`,
    hours: (hours: number) => `${hours} hours`,
    minutes: (minutes: string) => `${minutes} minutes`,
    allFormats: 'All',
    yes: 'Yes',
    from: (name: string) => `From ${name}`,
    no: 'No',
    sharedNote: 'Shared: one quota for AI and standard images in the web app and the API.',
  },
  questions: {
    title: 'Questions',
    list: ({ least, most, files, isForSale, hasPacks }: QuestionFacts) =>
      [
        [
          'When does my quota reset?',
          'The Free plan resets on the 1st of each month (UTC). Paid plans reset each month on your billing date. Your dashboard shows the next reset date.',
        ],
        [
          'What happens when I reach my monthly limit?',
          `Processing is paused until your quota resets${hasPacks ? ', you upgrade, or you buy a pack' : ' or you upgrade'}. You can still sign in and download your results. On ${currentPlans.enterprise.name}, processing continues.`,
        ],
        [
          'Which files can I upload?',
          `${inputFormatsText} files of up to ${formatCount(limits.inputPixels / 1e6)} megapixels. ${describeFiles(files)}`,
        ],
        [
          'How large can a result be?',
          `The maximum is ${formatCount(least / 1e6)} to ${formatCount(most / 1e6)} megapixels, depending on your plan. You see the size before you start.`,
        ],
        [
          'How long do you keep my images?',
          `Results are deleted after ${retention.resultMinutes / 60} hours, or when you delete them. Uploads are deleted after processing, or ${retention.failedSourceMinutes} minutes after a failure.`,
        ],
        isForSale
          ? [
              'Can I change or cancel my plan?',
              'Yes, at any time on the billing page. Upgrades apply immediately. Downgrades and cancellations apply at the end of the billing period.',
            ]
          : ['Can I buy a plan today?', 'Not yet. Paid plans will be available soon. You can use the Free plan today.'],
      ] as const,
  },
} as const;
