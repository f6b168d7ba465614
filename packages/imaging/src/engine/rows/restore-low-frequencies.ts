import { resampleRows, roundRow } from './resample.ts';
import { type RowStream, whiteOf } from './row-stream.ts';
import { openFloatRows } from './sharpen-rows.ts';

/** Standard deviation of the Gaussian filter, in pixels. With 3 pixels, enhanced photos were further from their originals. */
const deviation = 1.5;
const gaussianKernel = {
  reach: 3 * deviation + 1,
  at: (distance: number) => Math.exp(-((distance / deviation) ** 2) / 2),
};

/**
 * Replaces the low frequencies of an image with those of its source, which has the same size: adds the difference of
 * the two, blurred with a Gaussian filter. Shapes and shading then stay as they were, and only details that are a few
 * pixels wide are the network's. Border pixels repeat. Holds a few rows.
 */
export function restoreLowFrequencies(image: RowStream, source: RowStream): RowStream {
  const { width, height, depth } = image;
  const [readImage, readSource] = [openFloatRows(image), openFloatRows(source)];
  const white = whiteOf(depth);
  const waiting: Float32Array[] = [];
  const nextRow = async () => {
    const own = (await readImage()).slice();
    waiting.push(own);
    return (await readSource()).map((value, i) => value - (own[i] as number));
  };
  return resampleRows(
    image,
    { width, height, kernel: gaussianKernel, placement: undefined },
    {
      nextRow,
      finish: (missing, row) => {
        const own = waiting.shift() as Float32Array;
        roundRow(
          own.map((value, i) => value + (missing[i] as number)),
          row,
          white,
        );
      },
    },
  );
}
