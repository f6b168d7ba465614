import { formatNames, inputFormats, outputFormats, readableFormats } from '@uprez/contracts/policy/image-formats';
import { limits } from '@uprez/contracts/policy/limits';
import { retention } from '@uprez/contracts/policy/plans';
import { formatCount, formatList } from '@uprez/contracts/texts/format';
import { formatDuration } from '../../lib/format/format.ts';

const writtenFormats = formatList(outputFormats.map((name) => formatNames[name]));
const megapixels = (pixels: number) => `${formatCount(pixels / 1e6)} megapixels`;
const hours = retention.resultMinutes / 60;

/** Texts of the landing page below the fold. */
export const landingMessages = {
  features: {
    title: 'What you can count on',
    network: {
      title: 'Detail, drawn by a network',
      sentence:
        'Left the pixels that were sent, right what Real-ESRGAN made of them. It runs on our own workers; your image goes to nobody else.',
    },
    forecast: {
      title: 'Size and time before you start',
      sentence: (factor: number, engine = 'the network') =>
        `The planner that runs your job answers before you press the button. These are its times for ${factor}x with ${engine}, as fast as it ran here last.`,
    },
    failure: {
      title: 'A failure costs nothing',
      sentence:
        'An image takes one unit when it starts and gives it back when it fails or you cancel it. Every step stands in your ledger.',
      rows: [
        ['Reserved', '-1'],
        ['Given back: the job failed', '+1'],
      ],
      total: ['Charged', '0'],
    },
  },
  facts: {
    formats: {
      title: `${inputFormats.length} formats in, ${outputFormats.length} out`,
      sentence: `Reads ${readableFormats}, told by their content and not by their name. Writes ${writtenFormats}.`,
    },
    batch: (files: number) => ({
      title: `Up to ${formatCount(files)} images at once`,
      sentence: 'One list, one set of settings, one ZIP. A file that fails leaves the others alone.',
    }),
    large: (factor: number, least: number) => ({
      title: `Up to ${factor}x`,
      sentence: `The factor ends where the result would pass the megapixels of your plan: from ${formatCount(least / 1e6)} to ${megapixels(limits.outputPixels)}.`,
    }),
    metadata: {
      title: 'Nobody learns where it was taken',
      sentence: 'Metadata is removed unless you keep it, and the place only stays if you say so.',
    },
    deletion: {
      title: `Gone within ${hours} hours`,
      sentence: `Your upload goes when its job is done, that of a failed job after ${retention.failedSourceMinutes} minutes, your result after ${hours} hours or when you delete it.`,
    },
    receipt: {
      title: 'A receipt for every result',
      sentence: 'Engine, time, colour difference from the source, and the hashes of both files.',
    },
  },
  numbers: {
    title: 'In numbers',
    period: (days: number) => `of the last ${days} days, rounded down`,
    images: (count: number) => [formatCount(count), 'images'] as const,
    megapixels: (count: number) => [formatCount(count), 'megapixels'] as const,
    median: (ms: number) => [formatDuration(ms), 'from start to result, in the middle'] as const,
  },
  pricing: {
    title: 'Plans',
    lead: 'One unit is one image that was made. Prices are in US dollars a month.',
    compare: 'Compare all plans',
  },
  api: {
    title: 'The API in one request',
    lead: 'An image and a factor in, a link to the result out. Set a key and run it beside a photo.jpg.',
    plans: (names: string) => `Keys come with ${names}.`,
    limits: 'A key has scopes, an end, a monthly cap and addresses of its own, and can be switched off or replaced.',
    more: 'SDKs for Node, Python, PHP and Go, batches, webhooks, and a sandbox that costs nothing.',
    request: 'Request',
    answer: 'Answer, shortened',
    getKey: 'Get a key',
    documentation: 'Read the documentation',
  },
} as const;
