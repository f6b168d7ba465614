import { deltaE, type Light } from '../rows/delta-e.ts';
import { joinChunks } from '../rows/join-chunks.ts';
import { linearTable, sampleTable } from '../rows/linear-light.ts';
import type { RowStream, Samples } from '../rows/row-stream.ts';
import { cellEdges } from './colour-cells.ts';

/** Source pixels of a block's side. */
const blockSide = 16;

/** Colour difference (CIEDE2000) that a block's mean may keep: about 1 is just noticeable. */
const tolerance = 0.7;
/** A difference from which a block is moved less, from twice this not at all: what is so far off is broken, and is not to pass for right. */
const tooFar = 6;

/**
 * Bring the mean light of each block of an enlarged stream to within `tolerance` of its source's, if it is near. For what a smooth
 * correction cannot: a block whose source has no blue at all, but along its border some of the neighbour's. Each channel
 * of a block that has too much light moves those of its samples that are lighter than the source's pixel there towards
 * that pixel, all by the same share and no farther than the mean needs; too little light, the same with the darker
 * ones. So no sample passes its source's, white stays white, and edges become as hard as the source's at most.
 * `source` gives the rows again that have been read for `large`. Holds one row of blocks of both. Changes the rows that `large` gives.
 */
export function settleBlocks(large: RowStream, source: RowStream): RowStream {
  const factor = large.height / source.height;
  const [across, down] = [cellEdges(source.width, blockSide), cellEdges(source.height, blockSide)];
  let row = 0;
  const next = async () => {
    const height = (down[row + 1] as number) - (down[row] as number);
    row++;
    const rows = await large.read(height * factor);
    const pair = { small: await source.read(height), large: rows };
    for (let i = 0; i < across.length - 1; i++) {
      const [from, until] = [across[i] as number, across[i + 1] as number];
      settleBlock(pair, { from, until, height, width: source.width, factor, format: large });
    }
    return pair.large;
  };
  return { ...large, read: joinChunks({ depth: large.depth, rowLength: large.width * large.channels }, next) };
}

type Pair = { small: Samples; large: Samples };
/** Columns `from` up to `until` and all `height` rows of a source `width` wide. */
type Block = {
  from: number;
  until: number;
  height: number;
  width: number;
  factor: number;
  format: Pick<RowStream, 'channels' | 'depth'>;
};

function settleBlock(pair: Pair, block: Block): void {
  const { factor, format } = block;
  const wanted = meanLight(pair.small, block, 1);
  const found = meanLight(pair.large, block, factor);
  const difference = deltaE(asLight(wanted), asLight(found));
  if (difference <= tolerance || difference >= 2 * tooFar) return;
  const excess = Math.min(difference - tolerance, 2 * tooFar - difference) / difference;
  for (let channel = 0; channel < format.channels; channel++) {
    const missing = excess * ((wanted[channel] as number) - (found[channel] as number));
    const room = approach(pair, block, { channel, way: Math.sign(missing), share: 0 });
    if (room > 0)
      approach(pair, block, { channel, way: Math.sign(missing), share: Math.min(1, Math.abs(missing) / room) });
  }
}

const asLight = ([red = 0, green = red, blue = red]: number[]): Light => [red, green, blue];

/** Of each channel of a block, `scale` of whose pixels are one of the source's. */
function meanLight(rows: Samples, { from, until, height, width, format }: Block, scale: number): number[] {
  const { channels, depth } = format;
  const light = linearTable(depth);
  const rowLength = width * scale * channels;
  return Array.from({ length: channels }, (_, channel) => {
    let sum = 0;
    for (let start = 0; start < height * scale * rowLength; start += rowLength)
      for (let i = start + from * scale * channels + channel; i < start + until * scale * channels; i += channels)
        sum += light[rows[i] as number] as number;
    return sum / (height * (until - from) * scale ** 2);
  });
}

type Approach = { channel: number; way: number; share: number };

/** Move a channel's samples by `share` towards their source, those for which that is up (`way` 1) or down (-1). Answers how far the mean light would move by all of it. */
function approach(pair: Pair, block: Block, { channel, way, share }: Approach): number {
  const { from, until, height, width, factor, format } = block;
  const { channels, depth } = format;
  const light = linearTable(depth);
  const { samples, steps } = sampleTable(depth);
  let sum = 0;
  for (let y = 0; y < height * factor; y++)
    for (let x = from; x < until; x++) {
      const aim = light[pair.small[(Math.floor(y / factor) * width + x) * channels + channel] as number] as number;
      const start = (y * width + x) * factor * channels + channel;
      for (let i = start; i < start + factor * channels; i += channels) {
        const own = light[pair.large[i] as number] as number;
        const distance = (aim - own) * way;
        if (distance <= 0) continue;
        sum += distance;
        if (share > 0) pair.large[i] = samples[Math.round((own + way * share * distance) * steps)] as number;
      }
    }
  return sum / (height * (until - from) * factor ** 2);
}
