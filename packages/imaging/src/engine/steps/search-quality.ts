/** Encode at a quality and answer the size of the file, bytes. */
export type Attempt = (quality: number) => Promise<number>;
export type Found = { quality: number; sizeBytes: number };

export const maxAttempts = 7;
/** A file this close below the wanted size is as good as the best. */
const closeEnough = 0.98;
/** How many times as large a file is at quality 100 as at 1, about. */
const wholeRange = 30;

/**
 * The best quality from 1 to `best` whose file takes at most `targetBytes`, in at most seven attempts: the size is
 * taken to grow exponentially between two known qualities, and now and then the bracket is halved instead. Answers the
 * file at quality 1 when none fits.
 */
export async function searchQuality(attempt: Attempt, best: number, targetBytes: number): Promise<Found> {
  let low: Found | undefined;
  let high: Found | undefined;
  for (let tries = 0; tries < maxAttempts; tries++) {
    const triesLeft = maxAttempts - tries;
    const quality = high ? nextQuality(low, high, { targetBytes, triesLeft }) : best;
    const found = { quality, sizeBytes: await attempt(quality) };
    if (found.sizeBytes <= targetBytes) low = found;
    else high = found;
    if (!high || high.quality === 1) return found;
    if (low && (low.quality + 1 >= high.quality || low.sizeBytes >= closeEnough * targetBytes)) return low;
  }
  return (low ?? high) as Found;
}

type Search = { targetBytes: number; triesLeft: number };

function nextQuality(low: Found | undefined, high: Found, { targetBytes, triesLeft }: Search): number {
  // The last attempt without a fitting file says whether any fits.
  if (!low && triesLeft === 1) return 1;
  const [floor, ceiling] = [(low?.quality ?? 0) + 1, high.quality - 1];
  if (low && triesLeft % 3 === 1) return Math.floor((floor + ceiling) / 2);
  const from = low ?? { quality: 1, sizeBytes: high.sizeBytes * wholeRange ** ((1 - high.quality) / 99) };
  const slope = Math.log(high.sizeBytes / from.sizeBytes) / (high.quality - from.quality);
  const guess = Math.floor(from.quality + Math.log((0.99 * targetBytes) / from.sizeBytes) / slope);
  return Number.isFinite(guess) ? Math.max(floor, Math.min(ceiling, guess)) : floor;
}
