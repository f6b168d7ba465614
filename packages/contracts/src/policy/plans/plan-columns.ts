import type { PlanCard } from '../../schemas/plan-card.ts';
import { formatAlternatives, formatBytes, formatCount, formatList } from '../../texts/format.ts';
import { formatNames, type OutputFormat, outputFormats } from '../images/image-formats.ts';
import { countImages } from './meters.ts';
import { currentPlans, tiers } from './plans.ts';

export type Entitlements = PlanCard['entitlements'];
type SentenceFormatter = (plan: Entitlements) => string | undefined;

type PlanColumn = {
  /** Returns a rank to compare plans by. Higher is better, and NaN is neither better nor worse. */
  rank: (plan: Entitlements) => number;
  feature?: SentenceFormatter;
  limitation?: SentenceFormatter;
  /**
   * Describes a change from the old value to the new one. By default, a gain is described by `feature`, and a loss by
   * `limitation`.
   */
  change?: (to: Entitlements, from: Entitlements) => string;
  isShort?: true;
};

/** Formats the images that a plan includes each month, such as `10 AI images and 100 standard images`. */
export const formatIncluded = ({ included: units }: Entitlements): string =>
  'shared' in units
    ? `${countImages(units.shared, 'shared')} of any kind`
    : `${countImages(units.ai, 'ai')} and ${countImages(units.standard, 'standard')}`;
const describeIncluded = (plan: Entitlements) =>
  'shared' in plan.included
    ? `${countImages(plan.included.shared, 'shared')} per month, shared by the web app and the API`
    : `${formatIncluded(plan)} per month`;

const describeFactors = ({ maxFactor: { ai, standard } }: Entitlements) =>
  ai === standard
    ? `Upscale up to ${ai}x`
    : `Upscale up to ${ai}x with AI and up to ${standard}x with the standard engine`;

const describeUploads = ({ uploadBytes: { web, api } }: Entitlements) =>
  api === null || api === web
    ? `Files up to ${formatBytes(web)}`
    : `Files up to ${formatBytes(web)}, or ${formatBytes(api)} through the API`;

const namesOf = (formats: readonly OutputFormat[]) => formats.map((format) => formatNames[format]);
const formatsOf = ({ formats }: Entitlements) => (formats === 'all' ? outputFormats : formats);
const listMissingFormats = (plan: Entitlements) => outputFormats.filter((format) => !formatsOf(plan).includes(format));

const megapixelsOf = ({ maxOutputPixels }: Entitlements) => formatCount(maxOutputPixels / 1e6);
const minutesOf = ({ jobSeconds }: Entitlements) => formatCount(jobSeconds / 60);
const priorityOf = ({ queueWeight }: Entitlements) => `${formatCount(queueWeight / currentPlans.free.queueWeight)}x`;
const describeBatches = ({ bulkFiles }: Entitlements) => `Batches of up to ${formatCount(bulkFiles)} images`;
/** Largest batch size of any plan. Plans with a smaller batch size list it as a limitation. */
const maxBatchSize = Math.max(...tiers.map((tier) => currentPlans[tier].bulkFiles));
const hasSmallerBatches = ({ bulkFiles }: Entitlements) => bulkFiles < maxBatchSize;

const webhookRanks = { none: 0, feed: 1, delivery: 2 } as const;
const webhookFeatures = { none: undefined, feed: 'Event feed', delivery: 'Webhooks and event feed' } as const;
const webhookLimitations = {
  none: 'No webhooks',
  feed: 'Webhooks for sandbox events only',
  delivery: undefined,
} as const;

/** Columns of the plan table, in display order. */
export const planColumns: readonly PlanColumn[] = [
  {
    // AI images take the most time, so they decide which of two quotas is the larger one.
    rank: ({ included }) => ('shared' in included ? included.shared : included.ai),
    feature: describeIncluded,
    change: (to, from) => `${formatIncluded(to)} per month instead of ${formatIncluded(from)}`,
    isShort: true,
  },
  {
    rank: ({ hardStop }) => (hardStop ? 0 : 1),
    feature: ({ hardStop }) => (hardStop ? undefined : 'No interruption when you reach your monthly limit'),
    limitation: ({ hardStop }) => (hardStop ? 'Processing pauses when you reach your monthly limit' : undefined),
    isShort: true,
  },
  {
    rank: ({ maxFactor }) => maxFactor.ai,
    feature: describeFactors,
    change: (to, from) => `Upscale up to ${to.maxFactor.ai}x with AI instead of ${from.maxFactor.ai}x`,
    isShort: true,
  },
  {
    rank: ({ maxFactor }) => maxFactor.standard,
    change: (to, from) =>
      `Upscale up to ${to.maxFactor.standard}x with the standard engine instead of ${from.maxFactor.standard}x`,
  },
  {
    rank: ({ maxOutputPixels }) => maxOutputPixels,
    feature: (plan) => `Results up to ${megapixelsOf(plan)} megapixels`,
    change: (to, from) => `Results up to ${megapixelsOf(to)} megapixels instead of ${megapixelsOf(from)}`,
  },
  {
    rank: ({ jobSeconds }) => jobSeconds,
    feature: (plan) => `Up to ${minutesOf(plan)} minutes of processing per image`,
    change: (to, from) => `Up to ${minutesOf(to)} minutes of processing per image instead of ${minutesOf(from)}`,
  },
  {
    rank: ({ bulkFiles }) => bulkFiles,
    feature: (plan) => (hasSmallerBatches(plan) ? undefined : describeBatches(plan)),
    limitation: (plan) => (hasSmallerBatches(plan) ? describeBatches(plan) : undefined),
    change: (to, from) => `${describeBatches(to)} instead of ${formatCount(from.bulkFiles)}`,
  },
  {
    rank: ({ uploadBytes }) => uploadBytes.web,
    feature: describeUploads,
    change: (to, from) =>
      `Files up to ${formatBytes(to.uploadBytes.web)} instead of ${formatBytes(from.uploadBytes.web)}`,
  },
  {
    // A plan without the API has no size to compare.
    rank: ({ uploadBytes }) => uploadBytes.api ?? Number.NaN,
    change: ({ uploadBytes: to }, { uploadBytes: from }) =>
      `Files up to ${formatBytes(to.api ?? 0)} through the API instead of ${formatBytes(from.api ?? 0)}`,
  },
  {
    rank: (plan) => formatsOf(plan).length,
    feature: (plan) => `${plan.formats === 'all' ? 'All formats' : 'Formats'}: ${formatList(namesOf(formatsOf(plan)))}`,
    limitation: (plan) =>
      plan.formats === 'all' ? undefined : `No ${formatAlternatives(namesOf(listMissingFormats(plan)))} results`,
  },
  {
    rank: ({ storageBytes }) => storageBytes,
    feature: ({ storageBytes }) => `${formatBytes(storageBytes)} of storage for results`,
    change: (to, from) =>
      `${formatBytes(to.storageBytes)} of storage for results instead of ${formatBytes(from.storageBytes)}`,
    isShort: true,
  },
  {
    rank: ({ callsPerMinute }) => callsPerMinute,
    feature: ({ callsPerMinute }) => `${formatCount(callsPerMinute)} images per minute`,
    change: (to, from) =>
      `${formatCount(to.callsPerMinute)} images per minute instead of ${formatCount(from.callsPerMinute)}`,
  },
  {
    rank: ({ queueWeight }) => queueWeight,
    feature: (plan) =>
      plan.queueWeight > currentPlans.free.queueWeight
        ? `${priorityOf(plan)} the queue priority of ${currentPlans.free.name}`
        : undefined,
    change: (to, from) =>
      `${priorityOf(to)} the queue priority of ${currentPlans.free.name} instead of ${priorityOf(from)}`,
  },
  {
    rank: ({ api }) => (api ? 1 : 0),
    feature: ({ api }) => (api ? 'API access and API keys' : undefined),
    limitation: ({ api }) => (api ? undefined : 'API access in the sandbox only'),
    isShort: true,
  },
  {
    rank: ({ webhooks }) => webhookRanks[webhooks],
    feature: ({ webhooks }) => webhookFeatures[webhooks],
    limitation: ({ webhooks }) => webhookLimitations[webhooks],
    isShort: true,
  },
];

type PlanChanges = { gains: string[]; losses: string[] };

/** Compares the entitlements of two plans. Returns one line for each column that gets better or worse. */
export function comparePlans(from: Entitlements, to: Entitlements): PlanChanges {
  const describe = (isBetter: boolean) =>
    planColumns.flatMap(({ rank, feature, limitation, change }) => {
      const [before, after] = [rank(from), rank(to)];
      if (isBetter ? !(after > before) : !(after < before)) return [];
      return change?.(to, from) ?? (isBetter ? feature : limitation)?.(to) ?? [];
    });
  return { gains: describe(true), losses: describe(false) };
}
