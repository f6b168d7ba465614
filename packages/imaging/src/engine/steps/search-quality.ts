/** Encodes at a quality and returns the file size in bytes. */
export type EncodeAttempt = (quality: number) => Promise<number>;
export type QualityResult = { quality: number; sizeBytes: number };

export const maxAttempts = 7;
/** The search ends at a file that is at most 2% smaller than the target size. */
const minTargetShare = 0.98;
/** Approximate ratio of the file sizes at quality 100 and quality 1. */
const fullSizeRatio = 30;

/**
 * Finds the highest quality from 1 to `best` at which the file has at most `targetBytes`. Makes at most seven attempts.
 * Interpolates the size exponentially between two known qualities, and bisects on every third attempt. If no file fits,
 * returns the file at quality 1.
 */
export async function searchQuality(attempt: EncodeAttempt, best: number, targetBytes: number): Promise<QualityResult> {
  let low: QualityResult | undefined;
  let high: QualityResult | undefined;
  for (let tries = 0; tries < maxAttempts; tries++) {
    const triesLeft = maxAttempts - tries;
    const quality = high ? nextQuality(low, high, { targetBytes, triesLeft }) : best;
    const found = { quality, sizeBytes: await attempt(quality) };
    if (found.sizeBytes <= targetBytes) low = found;
    else high = found;
    if (!high || high.quality === 1) return found;
    if (low && (low.quality + 1 >= high.quality || low.sizeBytes >= minTargetShare * targetBytes)) return low;
  }
  return (low ?? high) as QualityResult;
}

type Search = { targetBytes: number; triesLeft: number };

function nextQuality(low: QualityResult | undefined, high: QualityResult, { targetBytes, triesLeft }: Search): number {
  // If no file has fit so far, the last attempt tests the lowest quality.
  if (!low && triesLeft === 1) return 1;
  const [floor, ceiling] = [(low?.quality ?? 0) + 1, high.quality - 1];
  if (low && triesLeft % 3 === 1) return Math.floor((floor + ceiling) / 2);
  const from = low ?? { quality: 1, sizeBytes: high.sizeBytes * fullSizeRatio ** ((1 - high.quality) / 99) };
  const slope = Math.log(high.sizeBytes / from.sizeBytes) / (high.quality - from.quality);
  const guess = Math.floor(from.quality + Math.log((0.99 * targetBytes) / from.sizeBytes) / slope);
  return Number.isFinite(guess) ? Math.max(floor, Math.min(ceiling, guess)) : floor;
}
