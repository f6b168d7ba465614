import { type Depth, makeSamples, type RowStream, type Samples, whiteOf } from '../rows/row-stream.ts';

type Layer = { left: number; top: number; rows: RowStream };
/** `fill`: color of the canvas, 0-65535. The last layer is on top. */
type Canvas = { width: number; height: number; depth: Depth; fill: readonly number[]; layers: readonly Layer[] };

/** Place layers on a canvas (ISO/IEC 23008-12, 6.6.2.2). The result is opaque. */
export function stackLayers({ width, height, depth, fill, layers }: Canvas): RowStream {
  const channels = 3;
  const color = fill.slice(0, channels).map((sample) => Math.round((sample * whiteOf(depth)) / whiteOf(16)));
  let y = 0;
  const read = async (count: number): Promise<Samples> => {
    const rows = makeSamples(depth, count * width * channels);
    for (let i = 0; i < rows.length; i++) rows[i] = color[i % channels] as number;
    for (const layer of layers) await placeRows(rows, { layer, y, count, width });
    y += count;
    return rows;
  };
  return { width, height, channels, depth, read };
}

type Placing = { layer: Layer; y: number; count: number; width: number };

/** Draw the rows of a layer that lie in the rows `y` up to `y + count` of the canvas. */
async function placeRows(canvas: Samples, { layer, y, count, width }: Placing): Promise<void> {
  const { rows, left, top } = layer;
  const [from, until] = [Math.max(y, top), Math.min(y + count, top + rows.height)];
  if (from >= until) return;
  // Rows above the canvas are skipped once.
  if (y === 0 && top < 0) await rows.read(-top);
  const samples = await rows.read(until - from);
  const [firstX, lastX] = [Math.max(0, left), Math.min(width, left + rows.width)];
  for (let row = from; row < until; row++)
    for (let x = firstX; x < lastX; x++) {
      const source = ((row - from) * rows.width + x - left) * rows.channels;
      blend(canvas, ((row - y) * width + x) * 3, { samples, at: source, rows });
    }
}

type Pixel = { samples: Samples; at: number; rows: RowStream };

function blend(canvas: Samples, to: number, { samples, at, rows: { channels, depth } }: Pixel): void {
  const opacity = channels === 4 ? (samples[at + 3] as number) / whiteOf(depth) : 1;
  for (let c = 0; c < 3; c++) {
    const below = canvas[to + c] as number;
    canvas[to + c] = Math.round(below + ((samples[at + c] as number) - below) * opacity);
  }
}
