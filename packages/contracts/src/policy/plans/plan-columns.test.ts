import { expect, it } from 'vitest';
import { comparePlans, type Entitlements } from './plan-columns.ts';
import { currentPlans, type Tier, tiers } from './plans.ts';

const row = (tier: Tier): Entitlements => currentPlans[tier];
const compare = (from: Tier, to: Tier) => comparePlans(row(from), row(to));

it('says what an upgrade gains', () => {
  expect(compare('pro', 'api_basic')).toEqual({
    gains: [
      '1,000 images of any kind per month instead of 100 AI images and 1,000 standard images',
      'Upscale up to 128x with the standard engine instead of 8x',
      'API access and API keys',
      'Event feed',
    ],
    losses: [],
  });
});

it('says what a downgrade loses', () => {
  expect(compare('api_basic', 'pro')).toEqual({
    gains: [],
    losses: [
      '100 AI images and 1,000 standard images per month instead of 1,000 images of any kind',
      'Upscale up to 8x with the standard engine instead of 128x',
      'API access in the sandbox only',
      'No webhooks',
    ],
  });
  expect(compare('pro', 'free').losses).toEqual(
    expect.arrayContaining(['Batches of up to 3 images instead of 100', 'No AVIF, JPEG XL, TIFF, or GIF results']),
  );
});

it('finds nothing between equal plans, and all differences of others in both directions', () => {
  for (const from of tiers)
    for (const to of tiers) {
      const { gains, losses } = compare(from, to);
      const back = compare(to, from);
      expect([gains.length, losses.length]).toEqual([back.losses.length, back.gains.length]);
      if (from === to) expect(gains.length + losses.length).toBe(0);
    }
});

const columns: [change: Partial<Entitlements>, gain: string, loss: string][] = [
  [
    { maxFactor: { ai: 16, standard: 8 } },
    'Upscale up to 16x with AI instead of 8x',
    'Upscale up to 8x with AI instead of 16x',
  ],
  [
    { maxOutputPixels: 3e8 },
    'Results up to 300 megapixels instead of 256',
    'Results up to 256 megapixels instead of 300',
  ],
  [
    { jobSeconds: 1_200 },
    'Up to 20 minutes of processing per image instead of 15',
    'Up to 15 minutes of processing per image instead of 20',
  ],
  [{ bulkFiles: 200 }, 'Batches of up to 200 images instead of 100', 'Batches of up to 100 images instead of 200'],
  [
    { uploadBytes: { web: 100 * 1024 ** 2, api: null } },
    'Files up to 100 MB instead of 50 MB',
    'Files up to 50 MB instead of 100 MB',
  ],
  [
    { storageBytes: 20 * 1024 ** 3 },
    '20 GB of storage for results instead of 10 GB',
    '10 GB of storage for results instead of 20 GB',
  ],
  [{ callsPerMinute: 121 }, '121 images per minute instead of 120', '120 images per minute instead of 121'],
  [{ queueWeight: 5 }, '5x the queue priority of Free instead of 4x', '4x the queue priority of Free instead of 5x'],
  [
    { hardStop: false },
    'No interruption when you reach your monthly limit',
    'Processing pauses when you reach your monthly limit',
  ],
  [{ webhooks: 'delivery' }, 'Webhooks and event feed', 'No webhooks'],
];
it.each(columns)('names both values of a column that changes: %o', (change, gain, loss) => {
  const changed = { ...row('pro'), ...change };
  expect(comparePlans(row('pro'), changed)).toEqual({ gains: [gain], losses: [] });
  expect(comparePlans(changed, row('pro'))).toEqual({ gains: [], losses: [loss] });
});

it('compares the size of API uploads between plans that have the API', () => {
  const larger = { ...row('api_basic'), uploadBytes: { web: 50 * 1024 ** 2, api: 1024 ** 3 } };
  expect(comparePlans(row('api_basic'), larger).gains).toEqual(['Files up to 1 GB through the API instead of 100 MB']);
});
