import {
  formatNames,
  inputFormats,
  inputFormatsText,
  outputFormats,
} from '@uprez/contracts/policy/images/image-formats';
import { limits } from '@uprez/contracts/policy/limits';
import { retention } from '@uprez/contracts/policy/plans/plans';
import { formatAlternatives, formatCount } from '@uprez/contracts/texts/format';
import { formatUptime } from '@uprez/contracts/texts/status';
import { formatDuration } from '../../lib/format/format.ts';

const outputFormatList = formatAlternatives(outputFormats.map((name) => formatNames[name]));
const formatMegapixels = (pixels: number) => `${formatCount(pixels / 1e6)} megapixels`;
const retentionHours = retention.resultMinutes / 60;

export const landingMessages = {
  features: {
    title: 'What you can count on',
    network: {
      title: 'AI that adds detail',
      sentence:
        'Left: the original pixels. Right: the result of Real-ESRGAN. It runs on our own servers or, if you choose, on your device. Your image is never sent to a third party.',
    },
    forecast: {
      title: 'Estimates before you start',
      sentence: (factor: number, engine = 'AI') =>
        `See the result size and processing time before you start. The table shows recent processing times for ${factor}x with ${engine}.`,
    },
    failure: {
      title: "You're never charged for failures",
      sentence:
        'We reserve 1 credit for each image. If the job fails, we refund the credit. Your credit history shows every step.',
      rows: [
        ['Reserved', '-1'],
        ['Refunded: the job failed', '+1'],
      ],
      total: ['Charged', '0'],
    },
  },
  facts: {
    formats: {
      title: `${inputFormats.length} input and ${outputFormats.length} output formats`,
      sentence: `Upload ${inputFormatsText}. Download ${outputFormatList}.`,
    },
    batch: (files: number) => ({
      title: `Up to ${formatCount(files)} images at once`,
      sentence:
        "Use the same options for all images, and download the results as one ZIP. Failed images don't stop a batch.",
    }),
    large: (factor: number, least: number) => ({
      title: `Up to ${factor}x`,
      sentence: `The maximum result size is ${formatCount(least / 1e6)} to ${formatMegapixels(limits.outputPixels)}, depending on your plan.`,
    }),
    metadata: {
      title: 'Metadata removed by default',
      sentence: 'Camera data and GPS location are removed unless you choose to keep them.',
    },
    deletion: {
      title: `Deleted within ${retentionHours} hours`,
      sentence: `Uploads are deleted after processing, or ${retention.failedSourceMinutes} minutes after a failure. Results are deleted after ${retentionHours} hours or when you delete them.`,
    },
    receipt: {
      title: 'A receipt for every result',
      sentence: 'Engine, processing time, fidelity to the original, and the SHA-256 of both files.',
    },
  },
  numbers: {
    title: 'By the numbers',
    period: (days: number) => `in the last ${days} days, rounded down`,
    images: (count: number) => [formatCount(count), 'images processed'] as const,
    megapixels: (count: number) => [formatCount(count), 'megapixels processed'] as const,
    median: (ms: number) => [formatDuration(ms), 'median processing time'] as const,
    uptime: (share: number) => [formatUptime(share), 'uptime'] as const,
  },
  pricing: {
    title: 'Plans',
    lead: 'Only processed images count toward your quota. Prices are in US dollars per month.',
    compare: 'Compare plans',
  },
  api: {
    title: 'The API in one request',
    lead: 'Send an image and a scale factor, and get the image. Insert your API key, and run the request in a folder that contains a photo.jpg. The result is large.jpg.',
    plans: (names: string) =>
      `Every account includes a free sandbox key, for results of up to ${limits.sandboxSide} × ${limits.sandboxSide} pixels. Live keys return the full size, and are included in ${names}.`,
    limits: 'Restrict each key by scope, expiration, monthly limit, and IP address. Rotate or disable it at any time.',
    more: 'Or get a job with a link to the result. SDKs for Node.js, Python, PHP, and Go, plus batches and webhooks.',
    request: 'Request',
    answer: 'Response headers (shortened)',
    getKey: 'Get an API key',
    documentation: 'Read the documentation',
  },
} as const;
