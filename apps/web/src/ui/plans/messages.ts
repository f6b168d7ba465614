import { readableFormats } from '@uprez/contracts/policy/image-formats';
import { limits } from '@uprez/contracts/policy/limits';
import { retention } from '@uprez/contracts/policy/plans';
import { formatBytes, formatCount } from '@uprez/contracts/texts/format';

/** Texts about plans. Names, prices, and numbers come from the API. */
export const pricingMessages = {
  title: 'Plans for an image now and then, and for thousands',
  lead: 'Every plan runs the same engines. What differs is how many images, how large, and whether programs may ask.',
  list: 'Plans',
  period: { month: 'a month' },
  features: 'What it offers',
  limitations: 'What it does not',
  current: 'Your plan',
  currentButton: 'Current plan',
  start: 'Get Started',
  signIn: (name: string) => `Choose ${name}`,
  choose: (name: string) => `Choose ${name}`,
  base: 'Included in every account',
  byMail: 'Write to us',
  draft: (name: string) => ({
    subject: `${name} plan`,
    body: 'How many images a month, how large, and since when you need them:\n\n',
  }),
  addressFailed: 'The address was not loaded',
  unavailable: {
    title: 'Plan Not Available',
    description: 'This plan is not yet configured. Please contact support.',
  },
  counts: {
    title: 'What counts as one image',
    lead: 'One unit is one image that was made and delivered, whatever its size.',
    rows: [
      ['An image through a network', '1 AI image'],
      ['An image resized, converted or optimised without one', '1 standard image'],
      ['Either of them, where a plan has one allowance for all', '1 image'],
      ['An animation, with all of its frames', '1'],
      ['A failed or cancelled job', '0'],
      ['A preview of a patch', '0'],
      ['Downloading a result again', '0'],
    ],
  },
  comparison: {
    title: 'All plans, side by side',
    region: 'Comparison of all plans',
    what: 'What is compared',
    groups: { images: 'Images', files: 'Files', programs: 'Programs' },
    rows: {
      ai: 'AI images a month',
      standard: 'Standard images a month',
      end: 'When they are used up',
      factorAi: 'Largest factor with AI',
      factorStandard: 'Largest factor without',
      output: 'Largest result',
      rate: 'Images a minute',
      queue: 'Turns in the queue',
      batch: 'Files of a batch',
      upload: 'Largest file',
      formats: 'Formats to write',
      storage: 'Space for results',
      retention: 'Results are kept',
      api: 'API and keys',
      uploadApi: 'Largest file by API',
      webhooks: 'Webhooks',
    },
    shared: (count: string) => `${count}, shared`,
    pauses: 'Pauses until the reset',
    goesOn: 'Goes on, we tell you',
    factor: (factor: number) => `${factor}x`,
    megapixels: (count: string) => `${count} megapixels`,
    turns: (count: string) => `${count}x`,
    hours: (hours: number) => `${hours} hours`,
    allFormats: 'All',
    yes: 'Yes',
    from: (name: string) => `From ${name}`,
    no: 'No',
    webhooks: { none: 'No', feed: 'Event feed', delivery: 'Webhooks, event feed' },
    sharedNote: 'Shared: one allowance for AI and standard images, web and API together.',
  },
  questions: {
    title: 'Questions',
    list: (least: number, most: number) =>
      [
        [
          'When does a month begin?',
          'With a plan that costs nothing it is the calendar month, UTC. With any other it has a day of its own. What is left and when it is new stands in your dashboard and in every warning.',
        ],
        [
          'What happens when the images are used up?',
          'Processing pauses until the date shown, unless your plan goes on. Signing in, settings and downloads work all the while.',
        ],
        [
          'Which files can I send?',
          `${readableFormats}, up to ${formatBytes(limits.uploadBytes)} on this site and ${formatCount(limits.inputPixels / 1e6)} megapixels. The type is read from the content.`,
        ],
        [
          'How large can a result be?',
          `From ${formatCount(least / 1e6)} to ${formatCount(most / 1e6)} megapixels, by plan. The size is shown before you start, and a factor that would pass the limit cannot be chosen.`,
        ],
        [
          'How long do you keep my images?',
          `Results at most ${retention.resultMinutes / 60} hours, or until you delete them. Uploads go as soon as their job is done, those of failed jobs after ${retention.failedSourceMinutes} minutes.`,
        ],
        [
          'Can I pay here today?',
          'Not yet: a plan without a price set up says so when you choose it. An account itself costs nothing.',
        ],
      ] as const,
  },
} as const;
