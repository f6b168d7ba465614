import type { RowStream } from '../../engine/rows/row-stream.ts';

export type Region = { left: number; top: number; width: number; height: number };
/** `scale`: result pixels per source pixel. `side`: side of a region. */
type Search = {
  scale: { x: number; y: number };
  result: { width: number; height: number };
  side: number;
  count: number;
};

/** Minimum distance of regions, as a share of the longer side. */
const farApart = 0.25;

/** Find the regions with the most detail in the source (steps between neighbors). They do not overlap. */
export async function findDetail(source: RowStream, search: Search): Promise<Region[]> {
  const { scale, result, side } = search;
  const [width, height] = [Math.min(side, result.width), Math.min(side, result.height)];
  const half = { x: Math.max(1, Math.round(width / scale.x / 2)), y: Math.max(1, Math.round(height / scale.y / 2)) };
  const { sums, columns } = await sumSteps(source, half);
  const found: (Region & { detail: number })[] = [];
  for (let at = 0; at < sums.length; at++) {
    const [column, row] = [at % columns, Math.floor(at / columns)];
    const right = column + 1 < columns ? 1 : 0;
    const below = at + columns < sums.length ? columns : 0;
    const corners = new Set([at, at + right, at + below, at + below + right]);
    const detail = [...corners].reduce((sum, corner) => sum + (sums[corner] as number), 0);
    const left = Math.min(result.width - width, Math.round(column * half.x * scale.x));
    const top = Math.min(result.height - height, Math.round(row * half.y * scale.y));
    found.push({ left, top, width, height, detail });
  }
  return pickApart(found, search);
}

/** Sum the steps between neighboring samples over cells of `half` source pixels. */
async function sumSteps(source: RowStream, half: { x: number; y: number }) {
  const { width, height, channels } = source;
  const columns = Math.ceil(width / half.x);
  const sums = new Float64Array(columns * Math.ceil(height / half.y));
  let above: ArrayLike<number> | undefined;
  for (let y = 0; y < height; y++) {
    const row = (await source.read(1)).slice();
    const first = Math.floor(y / half.y) * columns;
    for (let x = 1, i = channels; x < width; x++, i += channels) {
      const cell = first + Math.floor(x / half.x);
      const green = i + (channels > 1 ? 1 : 0);
      const value = row[green] as number;
      const across = Math.abs(value - (row[green - channels] as number));
      const down = above ? Math.abs(value - (above[green] as number)) : 0;
      sums[cell] = (sums[cell] as number) + across + down;
    }
    above = row;
  }
  return { sums, columns };
}

/** Pick the best distant regions, or adjacent ones when there are too few. */
function pickApart(regions: (Region & { detail: number })[], { count, result }: Search): Region[] {
  const best = regions.toSorted((a, b) => b.detail - a.detail);
  const picked: Region[] = [];
  for (const apart of [Math.max(result.width, result.height) * farApart, 0])
    for (const { detail, ...region } of best)
      if (picked.length < count && picked.every((other) => areApart(region, other, apart))) picked.push(region);
  return picked;
}

const areApart = (a: Region, b: Region, apart: number) =>
  Math.abs(a.left - b.left) >= Math.max(a.width, apart) || Math.abs(a.top - b.top) >= Math.max(a.height, apart);
