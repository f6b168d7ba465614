import { deltaE, type LinearRgb } from '../../color/color-difference.ts';
import { linearTable, sampleTable } from '../rows/linear-light.ts';
import { joinChunks, makeSamples, makeScratchBuffers, type RowStream, type Samples } from '../rows/row-stream.ts';
import {
  type CellMeter,
  type Correction,
  computeCellEdges,
  correctRow,
  findCorrection,
  openCellMeter,
} from './color-correction.ts';

/** Side of a cell, in source pixels. */
const cellSide = 8;

/** The second round corrects clipped samples, and cells that differ strongly from their neighbors. */
const rounds = 2;

/**
 * Upscales a stream by an integer factor and matches the mean linear light of the source in every part of the result,
 * because networks shift the brightness and hue of whole areas. All tiles use the same grid of cells, so tile borders
 * stay invisible. The correction is interpolated between cell centers, which preserves detail. Remaining differences at
 * hard edges are corrected per sample. Holds a few rows of cells and the source rows that were read ahead. `upscale`
 * must read the source rows before it returns the result rows.
 */
export function matchColor(source: RowStream, upscale: (source: RowStream) => RowStream): RowStream {
  const meters = Array.from({ length: rounds }, () => openCellMeter(source, cellSide));
  const waiting: Samples[] = [];
  const tapped = {
    ...source,
    read: async (count: number) => {
      const rows = await source.read(count);
      for (const meter of meters) meter.add(rows);
      waiting.push(rows.slice());
      return rows;
    },
  };
  const again = joinChunks({ depth: source.depth, rowLength: source.width * source.channels }, async () => {
    const rows = waiting.shift();
    if (!rows) throw new Error('the source rows have not been read yet');
    return rows;
  });
  const corrected = meters.reduce((large, meter) => correctCells(large, source, meter), upscale(tapped));
  return correctBlocks(corrected, { ...source, read: again });
}

/** Each step reads a row of cells and returns the rows up to the centers of these cells. */
function correctCells(large: RowStream, source: RowStream, meter: CellMeter): RowStream {
  const { channels, depth } = large;
  const factor = large.height / source.height;
  const edges = (length: number) => computeCellEdges(length, cellSide).map((edge) => edge * factor);
  const cells = { across: edges(source.width), channels, depth };
  const down = edges(source.height);
  const rowLength = large.width * channels;
  const center = (row: number) => ((down[row] as number) + (down[row + 1] as number)) / 2;
  let row = 0;
  let above: Correction | undefined;
  let waiting = makeSamples(depth, 0);
  const makeRows = makeScratchBuffers(depth);
  const next = async () => {
    const [top, bottom] = [down[row] as number, down[row + 1] as number];
    const fresh = await large.read(bottom - top);
    const below = findCorrection(fresh, meter.take(), cells);
    const rows = makeRows(waiting.length + fresh.length);
    rows.set(waiting);
    rows.set(fresh, waiting.length);
    const start = bottom - rows.length / rowLength;
    const until = row === down.length - 2 ? bottom : Math.floor(center(row));
    for (let y = start; y < until; y++) {
      const share = above ? Math.min(1, (y + 0.5 - center(row - 1)) / (center(row) - center(row - 1))) : 1;
      const line = rows.subarray((y - start) * rowLength, (y - start + 1) * rowLength);
      correctRow(line, { ...cells, above: above ?? below, below, share });
    }
    waiting = rows.subarray((until - start) * rowLength);
    above = below;
    row++;
    return rows.subarray(0, rows.length - waiting.length);
  };
  return { ...large, read: joinChunks({ depth, rowLength }, next) };
}

/** Side of a block, in source pixels. */
const blockSide = 16;

/**
 * Color difference (CIEDE2000) that is accepted between the means of a block and its source. About 1 is just
 * noticeable.
 */
const tolerance = 0.7;
/**
 * Color difference above which a block is corrected less. At twice this difference or more, the block isn't
 * corrected at all, because it is broken, and a correction would hide the defect from the output check.
 */
const maxCorrectableDifference = 6;

/**
 * Corrects the mean linear light of each block of an upscaled stream to within `tolerance` of its source. This is for
 * blocks that a smooth correction can't match, such as one without blue next to a blue neighbor.
 *
 * If a channel has too much light, samples that are lighter than their source pixel move toward it. If a channel has
 * too little light, darker samples do. All of these samples move by the same share, and no farther than the mean
 * requires. No sample overshoots its source pixel, white stays white, and edges don't become harder than in the source.
 *
 * `source` returns the rows that were read for `large` again. Holds one row of blocks of both streams, and modifies the
 * rows of `large`.
 */
export function correctBlocks(large: RowStream, source: RowStream): RowStream {
  const factor = large.height / source.height;
  const [across, down] = [computeCellEdges(source.width, blockSide), computeCellEdges(source.height, blockSide)];
  let row = 0;
  const next = async () => {
    const height = (down[row + 1] as number) - (down[row] as number);
    row++;
    const rows = await large.read(height * factor);
    const pair = { small: await source.read(height), large: rows };
    for (let i = 0; i < across.length - 1; i++) {
      const [from, until] = [across[i] as number, across[i + 1] as number];
      correctBlock(pair, { from, until, height, width: source.width, factor, format: large });
    }
    return pair.large;
  };
  return { ...large, read: joinChunks({ depth: large.depth, rowLength: large.width * large.channels }, next) };
}

type SourceAndUpscaledRows = { small: Samples; large: Samples };
/** Columns `from` to `until` of `height` source rows, each `width` pixels wide. */
type Block = {
  from: number;
  until: number;
  height: number;
  width: number;
  factor: number;
  format: Pick<RowStream, 'channels' | 'depth'>;
};

function correctBlock(pair: SourceAndUpscaledRows, block: Block): void {
  const { factor, format } = block;
  const wanted = measureMeanLight(pair.small, block, 1);
  const found = measureMeanLight(pair.large, block, factor);
  const difference = deltaE(toLinearRgb(wanted), toLinearRgb(found));
  if (difference <= tolerance || difference >= 2 * maxCorrectableDifference) return;
  const excess = Math.min(difference - tolerance, 2 * maxCorrectableDifference - difference) / difference;
  for (let channel = 0; channel < format.channels; channel++) {
    const missing = excess * ((wanted[channel] as number) - (found[channel] as number));
    const room = moveTowardSource(pair, block, { channel, direction: Math.sign(missing), share: 0 });
    if (room > 0)
      moveTowardSource(pair, block, {
        channel,
        direction: Math.sign(missing),
        share: Math.min(1, Math.abs(missing) / room),
      });
  }
}

const toLinearRgb = ([red = 0, green = red, blue = red]: number[]): LinearRgb => [red, green, blue];

/**
 * Returns the mean linear light of each channel of a block that has `scale` pixels per source pixel along each side.
 */
function measureMeanLight(rows: Samples, { from, until, height, width, format }: Block, scale: number): number[] {
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

type MoveOptions = { channel: number; direction: number; share: number };

/**
 * Moves samples toward their source pixels by `share`, in one direction only. Returns how much the mean would change at
 * a share of 1.
 */
function moveTowardSource(
  pair: SourceAndUpscaledRows,
  block: Block,
  { channel, direction, share }: MoveOptions,
): number {
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
        const distance = (aim - own) * direction;
        if (distance <= 0) continue;
        sum += distance;
        if (share > 0) pair.large[i] = samples[Math.round((own + direction * share * distance) * steps)] as number;
      }
    }
  return sum / (height * (until - from) * factor ** 2);
}
