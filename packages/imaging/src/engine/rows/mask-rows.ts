/** Rows of a mask at the size of the output. `read` returns a value per pixel: 0 is upscaled with AI, 1 is protected. */
export type MaskRows = { read: (count: number) => Float32Array };

type Size = { width: number; height: number };
type Area = Size & { left: number; top: number };

/** Values of a mask from 0 to 255, one per pixel. */
export type MaskGrid = Size & { data: Uint8Array };

/**
 * `source`: size of the image that the grid covers. `area`: part of the image that becomes the output, in pixels of the
 * image.
 */
export type MaskPlacement = { source: Size; area: Area; output: Size };

/** Interpolates the rows of a mask linearly, from top to bottom. Only the rows of one call are in memory. */
export function streamMask(grid: MaskGrid, { source, area, output }: MaskPlacement): MaskRows {
  const { data, width } = grid;
  const columns = placeSamples(output.width, {
    start: area.left,
    length: area.width,
    whole: source.width,
    cells: width,
  });
  const rows = { start: area.top, length: area.height, whole: source.height, cells: grid.height };
  let y = 0;
  const read = (count: number) => {
    const values = new Float32Array(count * output.width);
    for (let row = 0; row < count; row++, y++) {
      const down = placeSample((y + 0.5) / output.height, rows);
      const [above, below] = [down.first * width, down.second * width];
      for (let x = 0; x < output.width; x++) {
        const [first, second] = [columns.first[x] as number, columns.second[x] as number];
        const across = columns.share[x] as number;
        const upper = mix(data[above + first] as number, data[above + second] as number, across);
        const lower = mix(data[below + first] as number, data[below + second] as number, across);
        values[row * output.width + x] = mix(upper, lower, down.share) / 255;
      }
    }
    return values;
  };
  return { read };
}

const mix = (from: number, to: number, share: number) => from + (to - from) * share;

type Axis = { start: number; length: number; whole: number; cells: number };

/** Returns the cells around a position from 0 to 1 on the used part of an axis, and the share of the second cell. */
function placeSample(position: number, { start, length, whole, cells }: Axis) {
  const at = Math.min(cells - 1, Math.max(0, ((start + position * length) * cells) / whole - 0.5));
  const first = Math.floor(at);
  return { first, second: Math.min(cells - 1, first + 1), share: at - first };
}

function placeSamples(count: number, axis: Axis) {
  const samples = Array.from({ length: count }, (_, i) => placeSample((i + 0.5) / count, axis));
  return {
    first: Uint32Array.from(samples, ({ first }) => first),
    second: Uint32Array.from(samples, ({ second }) => second),
    share: Float32Array.from(samples, ({ share }) => share),
  };
}
