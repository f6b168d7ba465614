import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';

export type Strip = NonNullable<ImagePipeline['strip']>;
type Strips = Pick<ImagePipeline, 'strip' | 'strips' | 'bands'>;
type Size = { width: number; height: number };
type StripTraits = Omit<Strip, 'width'> & { maxWidth: number };

export const noStrips: Strips = { strip: null, strips: 0, bands: 0 };

/** Split the images of all passes into strips. `inputs`: the images, the largest last. All bands of a pass have the same width. */
export function splitIntoStrips({ maxWidth, ...traits }: StripTraits, inputs: Size[]): Strips {
  const { rows, border, lag } = traits;
  const largest = (inputs.at(-1)?.width ?? 1) + 2 * border;
  const columns = Math.ceil(largest / Math.ceil(largest / maxWidth));
  const counts = inputs.map(({ width, height }) => {
    const bands = Math.ceil((width + 2 * border) / columns);
    return { bands, strips: bands * Math.ceil((height + 2 * border + lag) / rows) };
  });
  return {
    strip: { rows, border, lag, width: columns },
    strips: counts.reduce((sum, { strips }) => sum + strips, 0),
    bands: counts.reduce((sum, { bands }) => sum + bands, 0),
  };
}

/** Input pixels of strips, border included. While the output lags, as many rows are not run by the first layers or the last. */
export const stripPixels = ({ strip, strips, bands }: Strips): number =>
  strip ? (strips * strip.rows - bands * strip.lag) * strip.width : 0;
