import type { Receipt } from '@uprez/contracts/schemas/jobs/receipt';
import { expect, it } from 'vitest';
import { listReceiptFacts } from './receipt-dialogs.tsx';

const receipt: Receipt = {
  engine: 'photo-fast',
  autoChoice: { code: 'photo', reason: 'The image looks like a photo, so Auto chose photo-fast.' },
  variant: 'int8',
  variantReason: 'faster here',
  model: 'a'.repeat(64),
  device: 'cpu',
  versions: { uprez: '1.0.0', sharp: '0.34' },
  source: { width: 320, height: 240, sizeBytes: 2_048, sha256: 'b'.repeat(64) },
  width: 1_280,
  height: 960,
  format: 'jpeg',
  quality: 95,
  bitDepth: 8,
  frames: 1,
  sizeBytes: 1_048_576,
  sha256: 'c'.repeat(64),
  passes: 1,
  tiles: 4,
  tile: null,
  strips: 0,
  bands: 0,
  strip: null,
  stagesMs: { check: 90, decode: 12.4, encode: 300, enlarge: 2_500 },
  colorDifference: { mean: 0.412, worst: 1.5 },
  fidelity: { score: 96.42, structure: 0.9658, color: 0.412 },
  strength: 40,
  grain: { amount: 20, seed: 305419896 },
  detail: 'crisp',
  edges: 'wrap',
  alpha: 'data',
  retries: [],
  notes: [],
  thumbhash: '',
};
const values = (of: Receipt) => Object.fromEntries(listReceiptFacts(of).map(({ label, value }) => [label, value]));

it('lists the facts of a result', () => {
  expect(values(receipt)).toMatchObject({
    Engine: 'photo-fast',
    Reason: 'The image looks like a photo, so Auto chose photo-fast.',
    Precision: 'INT8 · faster here',
    Source: '320 x 240 · 2 KB',
    Result: '1,280 x 960 · 1 MB · JPEG · quality 95',
    Tiles: '4',
    'Time per step': 'decode 12 ms · upscale 2.5 s · check 90 ms · encode 0.3 s',
    'Color difference (CIEDE2000)': '0.4 average, 1.5 maximum',
    Fidelity: '96.4 of 100 · structure (SSIM) 0.966',
    Look: 'Crisp',
    Strength: '40 of 100',
    'Film grain': '20 of 100 · seed 305419896',
    Edges: 'Seamless',
    'Alpha channel': 'Data',
    Versions: 'uprez 1.0.0 · sharp 0.34',
  });
});

it.each([
  [100, '100 of 100'],
  [99.97, '99.9 of 100'],
  [96, '96 of 100'],
])('shows a fidelity of %d as %s', (score, shown) =>
  expect(values({ ...receipt, fidelity: { score, structure: 1, color: 0 } }).Fidelity).toContain(shown),
);

it('reads receipts of older versions, which have neither fidelity nor reason', () => {
  const { fidelity: _, autoChoice: __, ...older } = receipt;
  expect(values(older)).not.toHaveProperty('Fidelity');
  expect(values(older)).not.toHaveProperty('Reason');
  expect(values(older).Engine).toBe('photo-fast');
});

it('omits facts that do not apply', () => {
  const plain = { ...receipt, variant: null, variantReason: null, model: null, quality: null, tiles: 0 };
  const labels = Object.keys(values(plain));
  expect(labels).not.toContain('Precision');
  expect(labels).not.toContain('Model weights (SHA-256)');
  expect(labels).not.toContain('Tiles');
  expect(labels).not.toContain('Discarded attempts');
  expect(labels).not.toContain('Notes');
  expect(values(plain).Result).toBe('1,280 x 960 · 1 MB · JPEG');
});
