import { expect, it } from 'vitest';
import { planCardSchema } from '../../schemas/plan-card.ts';
import {
  describeFeatures,
  describeHighlights,
  describeLimitations,
  makePlanCard,
  makePlanCards,
  type PlanPrice,
} from './plan-cards.ts';
import type { Plan } from './plan-versions.ts';
import { currentPlans, type Tier, tiers } from './plans.ts';

const sentences = (plan: Plan) => [...describeFeatures(plan), ...describeLimitations(plan)];
const row = (tier: Tier): Plan => currentPlans[tier];

it('matches the plan table', () => {
  expect(makePlanCards().map(({ key }) => key)).toEqual(tiers);
  for (const card of makePlanCards()) {
    expect(planCardSchema.parse(card)).toEqual(card);
    expect(card).toMatchObject({
      name: currentPlans[card.key].name,
      price: currentPlans[card.key].price,
      priceId: null,
      yearly: null,
      paymentMethods: [],
    });
    const { name: _name, price: _price, version: _version, ...entitlements } = currentPlans[card.key];
    expect(card.entitlements).toEqual(entitlements);
    expect(new Set([...card.features, ...card.limitations]).size).toBe(card.features.length + card.limitations.length);
  }
});

it('has the price IDs of the current version and amount', () => {
  const { price, version } = currentPlans.pro;
  const month: PlanPrice = { id: 'month', tier: 'pro', interval: 'month', planVersion: version, amount: price * 100 };
  const year: PlanPrice = { ...month, id: 'year', interval: 'year', amount: 7_050 };
  expect(makePlanCard('pro', [year, month])).toMatchObject({
    priceId: 'month',
    yearly: { price: 70.5, priceId: 'year' },
  });
  expect(makePlanCard('api_pro', [year, month])).toMatchObject({ priceId: null, yearly: null });
  const terms = { methods: ['card'], addsTax: true };
  expect(makePlanCard('pro', [year], terms)).toMatchObject({ priceId: null, paymentMethods: ['card'], addsTax: true });
  expect(makePlanCard('api_pro', [year, month], terms)).toMatchObject({ paymentMethods: [], addsTax: false });
  expect(makePlanCard('pro', [month])).toMatchObject({ paymentMethods: [], addsTax: false });
  const older = [year, month].map((one) => ({ ...one, planVersion: version - 1 }));
  expect(makePlanCard('pro', older)).toMatchObject({ priceId: null, yearly: null });
  expect(makePlanCard('pro', [{ ...month, amount: price * 100 + 1 }])).toMatchObject({ priceId: null });
});

it('lists the features and limitations of the free plan', () => {
  expect(describeFeatures(row('free'))).toContain('10 AI images and 100 standard images per month');
  expect(describeLimitations(row('free'))).toEqual([
    'Processing pauses when you reach your monthly limit',
    'Batches of up to 3 images',
    'No AVIF, JPEG XL, TIFF, or GIF results',
    'API access in the sandbox only',
    'No webhooks',
    'Results are deleted after 24 hours',
  ]);
});

it('has a short list of features for orders', () => {
  expect(describeHighlights(row('pro'))).toEqual([
    '100 AI images and 1,000 standard images per month',
    'Upscale up to 8x',
    '10 GB of storage for results',
  ]);
  expect(describeHighlights(row('api_pro'))).toEqual([
    '5,000 images per month, shared by the web app and the API',
    'Upscale up to 128x',
    '50 GB of storage for results',
    'API access and API keys',
    'Webhooks and event feed',
  ]);
});

const changes: [tier: Tier, change: Partial<Plan>, sentence: string][] = [
  ['free', { included: { ai: 11, standard: 1_200 } }, '11 AI images and 1,200 standard images per month'],
  ['api_basic', { included: { shared: 999 } }, '999 images per month, shared by the web app and the API'],
  ['pro', { hardStop: false }, 'No interruption when you reach your monthly limit'],
  ['free', { maxFactor: { ai: 6, standard: 9 } }, 'Upscale up to 6x with AI and up to 9x with the standard engine'],
  ['free', { maxFactor: { ai: 7, standard: 7 } }, 'Upscale up to 7x'],
  ['pro', { maxOutputPixels: 300_000_000 }, 'Results up to 300 megapixels'],
  ['free', { jobSeconds: 420 }, 'Up to 7 minutes of processing per image'],
  ['free', { bulkFiles: 5 }, 'Batches of up to 5 images'],
  ['api_pro', { uploadBytes: { web: 2 * 1024 ** 2, api: 3 * 1024 ** 3 } }, 'Files up to 2 MB, or 3 GB through the API'],
  ['free', { storageBytes: 20 * 1024 ** 3 }, '20 GB of storage for results'],
  ['free', { callsPerMinute: 61 }, '61 images per minute'],
  ['free', { queueWeight: 3 }, '3x the queue priority of Free'],
  ['free', { formats: ['png'] }, 'No JPEG, WebP, AVIF, JPEG XL, TIFF, or GIF results'],
  ['free', { api: true }, 'API access and API keys'],
  ['free', { webhooks: 'feed' }, 'Event feed'],
  ['free', { webhooks: 'feed' }, 'Webhooks for sandbox events only'],
];
it.each(changes)('updates the lines of the %s plan when a column changes: %o', (tier, change, sentence) => {
  const saying = (plan: Plan) => sentences(plan).filter((line) => line.includes(sentence));
  const changed = { ...row(tier), ...change };
  expect(saying(changed)).toHaveLength(1);
  expect(sentences(changed)).not.toEqual(sentences(row(tier)));
});
