import type { Samples } from '../rows/row-stream.ts';
import { type DetailRows, type Plane, readPlane } from './planes.ts';
import { type Area, cellsPerTile, contrastFilter, makeTileMeter, margin, tileSide } from './tile-meter.ts';

/** Noise by plane and filter, as mean squares. */
export type Noise = Float32Array[];

/** Bands of tiles along each side, from which noise is measured. */
const samplesPerSide = 6;
/** The share of flattest cells whose detail counts as noise. */
const noiseShare = 0.25;

/** Finds the area inside of bars of one color, and the noise of the flattest quarter of an image. */
export async function sampleImage(source: DetailRows, planes: Plane[]): Promise<{ area: Area; noise: Noise }> {
  const { width, height } = source;
  const luma = planes[0] as Plane;
  const top = await countFlatRows(source, luma, (i) => i);
  const bottom = height - (await countFlatRows(source, luma, (i) => height - 1 - i));
  const columns = makeColumnRanges(width, luma);
  const meter = makeTileMeter();
  const cells = planes.map(() => Array.from({ length: contrastFilter + 1 }, () => [] as number[]));
  const measured = new Float32Array(cellsPerTile);
  const inside = { left: 0, right: width, top, bottom };
  for (let j = 0; j < samplesPerSide; j++) {
    const y = top + Math.floor(((j + 0.5) * (bottom - top)) / samplesPerSide - tileSide / 2);
    const firstRow = Math.max(top, y - margin);
    const rows = await source.readRows(firstRow, Math.min(bottom, y + tileSide + margin) - firstRow);
    columns.add(rows);
    for (let i = 0; i < samplesPerSide; i++) {
      const left = Math.max(0, Math.floor(((i + 0.5) * width) / samplesPerSide - tileSide / 2));
      for (const [p, plane] of planes.entries()) {
        meter.load({ rows, firstRow, width, area: inside }, plane, { left, top: y });
        for (let filter = 0; filter <= contrastFilter; filter++) {
          meter.measure(filter, measured, 0);
          cells[p]?.[filter]?.push(...measured);
        }
      }
    }
  }
  const { left, right } = columns.findInner();
  const noise = cells.map((filters) => Float32Array.from(filters, findNoise));
  return { area: insetArea({ left, top, right, bottom }, source), noise };
}

const findNoise = (cells: number[]) => cells.sort((a, b) => a - b)[Math.floor(cells.length * noiseShare)] ?? 0;

/** Largest difference of luma within a row or column of a bar. */
const barRange = 6;
/** Bars end at the latest after this share of a side. */
const maxBarShare = 1 / 3;
/** Antialiased borders of bars are up to this wide. */
const barBorder = 3;

function insetArea({ left, top, right, bottom }: Area, { width, height }: { width: number; height: number }): Area {
  return {
    left: left && left + barBorder,
    top: top && top + barBorder,
    right: right < width ? right - barBorder : right,
    bottom: bottom < height ? bottom - barBorder : bottom,
  };
}

async function countFlatRows(source: DetailRows, luma: Plane, rowAt: (i: number) => number): Promise<number> {
  const target = new Float32Array(source.width);
  const most = Math.floor(source.height * maxBarShare);
  for (let i = 0; i < most; i++) {
    readPlane(await source.readRows(rowAt(i), 1), luma, { from: 0, count: source.width, target, at: 0 });
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const value of target) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
    if (high - low > barRange) return i;
  }
  return most;
}

function makeColumnRanges(width: number, luma: Plane) {
  const low = new Float32Array(width).fill(Number.POSITIVE_INFINITY);
  const high = new Float32Array(width).fill(Number.NEGATIVE_INFINITY);
  const target = new Float32Array(width);
  const isFlat = (x: number) => (high[x] as number) - (low[x] as number) <= barRange;
  return {
    add(rows: Samples): void {
      for (let from = 0; from < rows.length; from += width * luma.channels) {
        readPlane(rows, luma, { from, count: width, target, at: 0 });
        for (let x = 0; x < width; x++) {
          const value = target[x] as number;
          if (value < (low[x] as number)) low[x] = value;
          if (value > (high[x] as number)) high[x] = value;
        }
      }
    },
    findInner(): { left: number; right: number } {
      const most = Math.floor(width * maxBarShare);
      let [left, right] = [0, width];
      while (left < most && isFlat(left)) left++;
      while (right > width - most && isFlat(right - 1)) right--;
      return { left, right };
    },
  };
}
