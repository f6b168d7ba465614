import { expect, it } from 'vitest';
import { planCardSchema } from '../schemas/plan-card.ts';
import { describeFeatures, describeLimitations, makePlanCards, type PlanRow } from './plan-cards.ts';
import { plans, type Tier, tiers } from './plans.ts';

const sentences = (plan: PlanRow) => [...describeFeatures(plan), ...describeLimitations(plan)];
const row = (tier: Tier): PlanRow => plans[tier];

it('says of every plan what the table says', () => {
  expect(makePlanCards().map(({ key }) => key)).toEqual(tiers);
  for (const card of makePlanCards()) {
    expect(planCardSchema.parse(card)).toEqual(card);
    expect(card).toMatchObject({ name: plans[card.key].name, price: plans[card.key].price, priceId: null });
    const { name: _name, price: _price, version: _version, ...entitlements } = plans[card.key];
    expect(card.entitlements).toEqual(entitlements);
    expect(new Set([...card.features, ...card.limitations]).size).toBe(card.features.length + card.limitations.length);
  }
});

it('names the limits of a free account', () => {
  expect(describeFeatures(row('free'))).toContain('10 AI images and 100 standard images a month');
  expect(describeLimitations(row('free'))).toEqual([
    'Processing pauses when the month is used up, until the date shown',
    'Batches of up to 3 files',
    'No AVIF, TIFF, and GIF files',
    'No API',
    'No webhooks',
    'Results are deleted after 24 hours',
  ]);
});

const changes: [tier: Tier, change: Partial<PlanRow>, sentence: string][] = [
  ['free', { included: { ai: 11, standard: 1_200 } }, '11 AI images and 1,200 standard images a month'],
  ['api_basic', { included: { shared: 999 } }, '999 images a month, web and API together'],
  ['pro', { hardStop: false }, 'No stop when they are used up: we tell you, and go on'],
  ['free', { maxFactor: { ai: 6, standard: 9 } }, 'Up to 6x larger with AI, 9x with the standard engine'],
  ['free', { maxFactor: { ai: 7, standard: 7 } }, 'Up to 7x larger'],
  ['pro', { maxOutputPixels: 300_000_000 }, 'Results of up to 300 megapixels'],
  ['free', { bulkFiles: 5 }, 'Batches of up to 5 files'],
  ['api_pro', { uploadBytes: { web: 2 * 1024 ** 2, api: 3 * 1024 ** 3 } }, 'Files of up to 2 MB, 3 GB through the API'],
  ['free', { storageBytes: 20 * 1024 ** 3 }, 'Space for 20 GB of results'],
  ['free', { callsPerMinute: 61 }, '61 images a minute'],
  ['free', { queueWeight: 3 }, '3 times as many turns in the queue as Free'],
  ['free', { formats: ['png'] }, 'No JPEG, WebP, AVIF, TIFF, and GIF files'],
  ['free', { api: true }, 'API and API keys'],
  ['free', { webhooks: 'feed' }, 'A feed of events'],
];
it.each(changes)('what changes in the plan %s changes its sentences: %o', (tier, change, sentence) => {
  const saying = (plan: PlanRow) => sentences(plan).filter((line) => line.includes(sentence));
  const changed = { ...row(tier), ...change };
  expect(saying(changed)).toHaveLength(1);
  expect(sentences(changed)).not.toEqual(sentences(row(tier)));
});
