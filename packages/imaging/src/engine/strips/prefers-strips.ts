import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import { countStripPixels, countTilePixels } from '../../pipeline/choose-passes.ts';
import type { RowFile } from '../rows/row-file.ts';
import type { Samples } from '../rows/row-stream.ts';
import { makeTileSpans } from '../upscaler/upscale.ts';

type Rows = Pick<RowFile, 'width' | 'height' | 'channels' | 'readRows'>;

/** Tiles of a single color don't run the network, which saves most of the work for drawings and scans. */
export async function prefersStrips(image: Rows, pipeline: ImagePipeline): Promise<boolean> {
  const { tile, tiles, strip } = pipeline;
  if (!strip || !tile) return false;
  const worth = tiles - countStripPixels(pipeline) / countTilePixels(tile);
  let flat = 0;
  const columns = makeTileSpans(image.width, tile);
  const side = tile.core + 2 * tile.overlap;
  for (const band of makeTileSpans(image.height, tile)) {
    const from = Math.max(0, band.origin);
    const rows = await image.readRows(from, Math.min(image.height, band.origin + side) - from);
    for (const { origin } of columns)
      if (isFlat(rows, { from: Math.max(0, origin), until: Math.min(image.width, origin + side), image })) flat++;
    if (flat > worth) return false;
  }
  return true;
}

function isFlat(rows: Samples, { from, until, image }: { from: number; until: number; image: Rows }): boolean {
  const { width, channels } = image;
  const first = from * channels;
  for (let start = 0; start < rows.length; start += width * channels)
    for (let i = start + first; i < start + until * channels; i++)
      if (rows[i] !== rows[first + ((i - start) % channels)]) return false;
  return true;
}
