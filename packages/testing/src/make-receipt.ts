import type { Receipt } from '@uprez/contracts/schemas/receipt';

const sha256 = '0'.repeat(64);

/** What an engine would report of a 16 x 16 PNG that `standard` made, but for `changes`. */
export const makeReceipt = (changes: Partial<Receipt> = {}): Receipt => ({
  engine: 'standard',
  variant: null,
  variantReason: null,
  model: null,
  device: 'cpu',
  versions: {},
  source: { width: 8, height: 8, sizeBytes: 9, sha256 },
  width: 16,
  height: 16,
  format: 'png',
  quality: null,
  bitDepth: 8,
  frames: 1,
  sizeBytes: 8,
  sha256,
  passes: 0,
  tiles: 0,
  tile: null,
  stagesMs: { decode: 1, encode: 1 },
  colorDifference: { mean: 0, worst: 0 },
  retries: [],
  notes: [],
  thumbhash: '',
  ...changes,
});
