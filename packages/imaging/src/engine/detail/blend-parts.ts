import type { RowStream, Samples } from '../rows/row-stream.ts';
import type { Part } from './plan-parts.ts';

/** Finished rows of a part, from its first output row. */
export type PartRows = {
  part: Pick<Part, 'output' | 'feather'>;
  readRows: (y: number, count: number) => Promise<Samples>;
};

/** Lays parts over an image, in their order. Their borders fade into the image, except at the border of the image. */
export function blendParts(image: RowStream, parts: PartRows[]): RowStream {
  if (parts.length === 0) return image;
  let next = 0;
  const read = async (count: number): Promise<Samples> => {
    const rows = await image.read(count);
    const from = next;
    next += count;
    for (const { part, readRows } of parts) {
      const { top, height } = part.output;
      const [first, until] = [Math.max(from, top), Math.min(next, top + height)];
      if (first >= until) continue;
      const own = await readRows(first - top, until - first);
      for (let y = first; y < until; y++) blendRow(rows, own, { image, part, y, rowInImage: y - from, row: y - first });
    }
    return rows;
  };
  return { ...image, read };
}

type BlendedRow = { image: RowStream; part: PartRows['part']; y: number; rowInImage: number; row: number };

function blendRow(rows: Samples, own: Samples, { image, part, y, rowInImage, row }: BlendedRow): void {
  const { width, height, channels } = image;
  const { output, feather } = part;
  const down = weightAt(y, { from: output.top, length: output.height, whole: height, feather });
  const across = { from: output.left, length: output.width, whole: width, feather };
  for (let x = 0; x < output.width; x++) {
    const weight = down * weightAt(output.left + x, across);
    const at = (rowInImage * width + output.left + x) * channels;
    const ownAt = (row * output.width + x) * channels;
    for (let c = 0; c < channels; c++) {
      const before = rows[at + c] as number;
      rows[at + c] = before + ((own[ownAt + c] as number) - before) * weight + 0.5;
    }
  }
}

type Edges = { from: number; length: number; whole: number; feather: number };

/** Weight of a part at a row or column: 0 at its borders inside the image, and 1 from `feather` pixels on. */
function weightAt(position: number, { from, length, whole, feather }: Edges): number {
  const before = from === 0 ? 1 : (position + 0.5 - from) / feather;
  const after = from + length === whole ? 1 : (from + length - position - 0.5) / feather;
  return Math.min(1, before, after);
}
