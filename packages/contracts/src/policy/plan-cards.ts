import type { PlanCard } from '../schemas/plan-card.ts';
import { formatBytes, formatCount, formatList } from '../texts/format.ts';
import { formatNames, type OutputFormat, outputFormats } from './image-formats.ts';
import { countImages } from './meters.ts';
import { plans, retention, type Tier, tiers } from './plans.ts';

/** One row of the plan table, its numbers free to change. */
export type PlanRow = PlanCard['entitlements'] & { name: string; price: number };

const megapixels = (pixels: number) => `${formatCount(pixels / 1e6)} megapixels`;
const list = (formats: readonly OutputFormat[]) => formatList(formats.map((format) => formatNames[format]));

/** Whom a plan is for. */
const descriptions: Record<Tier, string> = {
  free: 'For trying it out, and for an image now and then.',
  pro: 'For people who work with images.',
  api_basic: 'For programs that make images, and their first users.',
  api_pro: 'For products that make images all day.',
  enterprise: 'For companies that must not come to a stop.',
};

const included = ({ included: units }: PlanRow) =>
  'shared' in units
    ? `${countImages(units.shared, 'shared')} a month, web and API together`
    : `${countImages(units.ai, 'ai')} and ${countImages(units.standard, 'standard')} a month`;

const factors = ({ maxFactor: { ai, standard } }: PlanRow) =>
  ai === standard ? `Up to ${ai}x larger` : `Up to ${ai}x larger with AI, ${standard}x with the standard engine`;

const uploads = ({ uploadBytes: { web, api } }: PlanRow) =>
  api === null || api === web
    ? `Files of up to ${formatBytes(web)}`
    : `Files of up to ${formatBytes(web)}, ${formatBytes(api)} through the API`;

const batches = ({ bulkFiles }: PlanRow) => `Batches of up to ${formatCount(bulkFiles)} files`;

const speed = ({ queueWeight }: PlanRow, slowest: number) =>
  queueWeight > slowest
    ? [`${formatCount(queueWeight / slowest)} times as many turns in the queue as ${plans.free.name}`]
    : [];

const webhookSentences = { none: [], feed: ['A feed of events'], delivery: ['Webhooks and a feed of events'] } as const;

/** What a plan offers, a sentence for each of its columns. */
export function describeFeatures(plan: PlanRow): string[] {
  return [
    included(plan),
    ...(plan.hardStop ? [] : ['No stop when they are used up: we tell you, and go on']),
    factors(plan),
    `Results of up to ${megapixels(plan.maxOutputPixels)}`,
    ...(isShort(plan) ? [] : [batches(plan)]),
    uploads(plan),
    `${plan.formats === 'all' ? 'Every format' : 'Formats'}: ${list(plan.formats === 'all' ? outputFormats : plan.formats)}`,
    `Space for ${formatBytes(plan.storageBytes)} of results`,
    `${formatCount(plan.callsPerMinute)} images a minute`,
    ...speed(plan, plans.free.queueWeight),
    ...(plan.api ? ['API and API keys'] : []),
    ...webhookSentences[plan.webhooks],
  ];
}

/** A plan whose batches are shorter than another's says so among its limits. */
const longestBatch = Math.max(...tiers.map((tier) => plans[tier].bulkFiles));
const isShort = ({ bulkFiles }: PlanRow) => bulkFiles < longestBatch;

/** What a plan does not offer, and what ends. */
export function describeLimitations(plan: PlanRow): string[] {
  return [
    ...(plan.hardStop ? ['Processing pauses when the month is used up, until the date shown'] : []),
    ...(isShort(plan) ? [batches(plan)] : []),
    ...(plan.formats === 'all' ? [] : [`No ${list(missing(plan.formats))} files`]),
    ...(plan.api ? [] : ['No API']),
    ...(plan.webhooks === 'delivery' ? [] : ['No webhooks']),
    `Results are deleted after ${retention.resultMinutes / 60} hours`,
  ];
}

const missing = (formats: readonly OutputFormat[]) => outputFormats.filter((format) => !formats.includes(format));

/** A plan as its card shows it: the table's numbers, and sentences made of them. Nothing can be bought yet. */
export function makePlanCard(tier: Tier): PlanCard {
  const { name, price, version: _, ...entitlements } = plans[tier];
  const plan: PlanRow = plans[tier];
  return {
    key: tier,
    name,
    price,
    period: 'month',
    description: descriptions[tier],
    features: describeFeatures(plan),
    limitations: describeLimitations(plan),
    priceId: null,
    entitlements: entitlements as PlanCard['entitlements'],
  };
}

/** The cards of all plans, the smallest first. */
export const makePlanCards = (): PlanCard[] => tiers.map(makePlanCard);
