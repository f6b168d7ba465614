import type { PlanCard } from '../schemas/plan-card.ts';
import { formatAlternatives, formatBytes, formatCount, formatList } from '../texts/format.ts';
import { formatNames, type OutputFormat, outputFormats } from './image-formats.ts';
import { countImages } from './meters.ts';
import type { Plan } from './plan-versions.ts';
import { centsPerMonth, currentPlans, retention, type Tier, tiers } from './plans.ts';

const megapixels = (pixels: number) => `${formatCount(pixels / 1e6)} megapixels`;
const namesOf = (formats: readonly OutputFormat[]) => formats.map((format) => formatNames[format]);

/** Audience of each plan. */
const descriptions: Record<Tier, string> = {
  free: 'For trying out Uprez and for occasional use.',
  pro: 'For people who work with images every day.',
  api_basic: 'For prototypes and small apps.',
  api_pro: 'For apps in production.',
  enterprise: 'For high volumes without interruption.',
};

const included = ({ included: units }: Plan) =>
  'shared' in units
    ? `${countImages(units.shared, 'shared')} per month, shared by the web app and the API`
    : `${countImages(units.ai, 'ai')} and ${countImages(units.standard, 'standard')} per month`;

const factors = ({ maxFactor: { ai, standard } }: Plan) =>
  ai === standard
    ? `Upscale up to ${ai}x`
    : `Upscale up to ${ai}x with AI and up to ${standard}x with the standard engine`;

const uploads = ({ uploadBytes: { web, api } }: Plan) =>
  api === null || api === web
    ? `Files up to ${formatBytes(web)}`
    : `Files up to ${formatBytes(web)}, or ${formatBytes(api)} through the API`;

const batches = ({ bulkFiles }: Plan) => `Batches of up to ${formatCount(bulkFiles)} images`;

const speed = ({ queueWeight }: Plan, slowest: number) =>
  queueWeight > slowest
    ? [`${formatCount(queueWeight / slowest)}x the queue priority of ${currentPlans.free.name}`]
    : [];

const webhookSentences = { none: [], feed: ['Event feed'], delivery: ['Webhooks and event feed'] } as const;

/** What a plan includes: one line for each of its columns. */
export function describeFeatures(plan: Plan): string[] {
  return [
    included(plan),
    ...(plan.hardStop ? [] : ['No interruption when you reach your monthly limit']),
    factors(plan),
    `Results up to ${megapixels(plan.maxOutputPixels)}`,
    `Up to ${formatCount(plan.jobSeconds / 60)} minutes of processing per image`,
    ...(isShort(plan) ? [] : [batches(plan)]),
    uploads(plan),
    `${plan.formats === 'all' ? 'All formats' : 'Formats'}: ${formatList(namesOf(plan.formats === 'all' ? outputFormats : plan.formats))}`,
    `${formatBytes(plan.storageBytes)} of storage for results`,
    `${formatCount(plan.callsPerMinute)} images per minute`,
    ...speed(plan, currentPlans.free.queueWeight),
    ...(plan.api ? ['API access and API keys'] : []),
    ...webhookSentences[plan.webhooks],
  ];
}

/** The batch size is listed as a limitation where another plan allows larger batches. */
const longestBatch = Math.max(...tiers.map((tier) => currentPlans[tier].bulkFiles));
const isShort = ({ bulkFiles }: Plan) => bulkFiles < longestBatch;

/** Webhooks that a plan excludes. */
const missingWebhooks = { none: ['No webhooks'], feed: ['Webhooks for sandbox events only'], delivery: [] } as const;

/** What a plan excludes or limits. */
export function describeLimitations(plan: Plan): string[] {
  return [
    ...(plan.hardStop ? ['Processing pauses when you reach your monthly limit'] : []),
    ...(isShort(plan) ? [batches(plan)] : []),
    ...(plan.formats === 'all' ? [] : [`No ${formatAlternatives(namesOf(missing(plan.formats)))} results`]),
    ...(plan.api ? [] : ['API access in the sandbox only']),
    ...missingWebhooks[plan.webhooks],
    `Results are deleted after ${retention.resultMinutes / 60} hours`,
  ];
}

const missing = (formats: readonly OutputFormat[]) => outputFormats.filter((format) => !formats.includes(format));

/** A price at the payment provider that can be bought. `amount` is cents. */
export type PlanPrice = { id: string; tier: Tier; interval: 'month' | 'year'; planVersion: number; amount: number };

/** The pricing card of a plan. Prices of another version or amount than the plan's are ignored. */
export function makePlanCard(tier: Tier, prices: readonly PlanPrice[] = []): PlanCard {
  const { name, price, version, ...entitlements } = currentPlans[tier];
  const plan: Plan = currentPlans[tier];
  const find = (interval: PlanPrice['interval']) =>
    prices.find((one) => one.tier === tier && one.interval === interval && one.planVersion === version);
  const month = find('month');
  const year = find('year');
  return {
    key: tier,
    name,
    price,
    period: 'month',
    description: descriptions[tier],
    features: describeFeatures(plan),
    limitations: describeLimitations(plan),
    priceId: month?.amount === centsPerMonth(tier) ? month.id : null,
    yearly: year ? { price: year.amount / 100, priceId: year.id } : null,
    entitlements: entitlements as PlanCard['entitlements'],
  };
}

/** The pricing cards of all plans, smallest first. */
export const makePlanCards = (prices?: readonly PlanPrice[]): PlanCard[] =>
  tiers.map((tier) => makePlanCard(tier, prices));
