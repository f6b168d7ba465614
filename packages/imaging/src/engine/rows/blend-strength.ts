import { strengthRange } from '@uprez/contracts/policy/images/image-formats';
import type { MaskRows } from './mask-rows.ts';
import { makeScratchBuffers, type RowStream, type Samples } from './row-stream.ts';

export type BlendOptions = {
  /** Opens the image of the same size that was only resampled. */
  openPlain: () => RowStream;
  /** Share of the network's image, as a percentage. 100 by default. */
  strength?: number | undefined;
  /** Areas in which the network's image is left out. */
  mask?: MaskRows | undefined;
};

/**
 * Blends an image that a network upscaled with one of the same size that was only resampled. The share of the
 * network's image is `strength`, times the part of a pixel that the mask doesn't protect. Frequencies aren't separated,
 * because the colors of the network's image are matched to the source, and the images therefore differ mainly in their
 * high frequencies.
 */
export function blendStrength(
  image: RowStream,
  { openPlain, strength = strengthRange.max, mask }: BlendOptions,
): RowStream {
  if (strength === strengthRange.max && !mask) return image;
  const plain = openPlain();
  const { channels } = image;
  const makeRows = makeScratchBuffers(image.depth);
  const share = strength / strengthRange.max;
  const read = async (count: number): Promise<Samples> => {
    const [upscaled, resampled] = [await image.read(count), await plain.read(count)];
    const shares = mask?.read(count);
    const rows = makeRows(upscaled.length);
    for (let i = 0; i < rows.length; i++) {
      const before = resampled[i] as number;
      const kept = shares ? share * (1 - (shares[Math.floor(i / channels)] as number)) : share;
      rows[i] = before + ((upscaled[i] as number) - before) * kept + 0.5;
    }
    return rows;
  };
  return { ...image, read };
}
