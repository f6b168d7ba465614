import { strengthRange } from '@uprez/contracts/policy/images/image-formats';
import { makeScratchBuffers, type RowStream, type Samples } from './row-stream.ts';

/**
 * Blends an image that a network upscaled with one of the same size that was only resampled. `strength`: share of the
 * network's image, as a percentage. Frequencies aren't separated, because the colors of the network's image are matched
 * to the source, and the images therefore differ mainly in their high frequencies.
 */
export function blendStrength(
  image: RowStream,
  openPlain: () => RowStream,
  strength: number = strengthRange.max,
): RowStream {
  if (strength === strengthRange.max) return image;
  const plain = openPlain();
  const makeRows = makeScratchBuffers(image.depth);
  const share = strength / strengthRange.max;
  const read = async (count: number): Promise<Samples> => {
    const [upscaled, resampled] = [await image.read(count), await plain.read(count)];
    const rows = makeRows(upscaled.length);
    for (let i = 0; i < rows.length; i++) {
      const before = resampled[i] as number;
      rows[i] = before + ((upscaled[i] as number) - before) * share + 0.5;
    }
    return rows;
  };
  return { ...image, read };
}
