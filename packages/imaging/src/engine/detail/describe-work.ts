import type { Receipt } from '@uprez/contracts/schemas/jobs/receipt';
import type { DetailMap } from './measure-detail.ts';
import type { PlannedPart } from './plan-work.ts';

type Work = {
  facts: Pick<Receipt, 'workingScale' | 'workingShares' | 'detailMegapixels'>;
  notes: string[];
};
type WorkInput = { parts: PlannedPart[]; source: { width: number; height: number } };

/** Share of the pixels below which the detail of an image is worth a note. */
const noteworthyShare = 0.6;

const detailNote = (megapixels: number) =>
  `This image holds about ${megapixels < 2 ? megapixels.toFixed(1) : Math.round(megapixels)} MP of detail.`;

/** Describes at which sizes an image was processed, and how much detail it has. */
export function describeWork(detail: DetailMap, { parts, source }: WorkInput): Work {
  const areas = new Map<number, number>();
  let pixels = 0;
  for (const { left, top, width, height, scale } of listBlocks(detail, source)) {
    const [x, y] = [left + width / 2, top + height / 2];
    const shown = parts.findLast(({ part: { source: area } }) => contains(area, x, y));
    const factor = shown?.part.factor ?? 1;
    areas.set(factor, (areas.get(factor) ?? 0) + width * height);
    pixels += width * height * scale ** 2;
  }
  const whole = source.width * source.height;
  const workingShares = [...areas]
    .sort(([a], [b]) => a - b)
    .map(([scale, area]) => ({ scale: round(scale), share: round(area / whole) }));
  const mean = [...areas].reduce((sum, [scale, area]) => sum + (scale * area) / whole, 0);
  const detailMegapixels = Math.max(0.01, round(pixels / 1e6));
  return {
    facts: { workingScale: Math.min(1, round(mean)), workingShares, detailMegapixels },
    notes: pixels < noteworthyShare * whole ? [detailNote(detailMegapixels)] : [],
  };
}

const round = (value: number) => Math.round(100 * value) / 100;

const contains = (area: PlannedPart['part']['source'], x: number, y: number) =>
  x >= area.left && x < area.left + area.width && y >= area.top && y < area.top + area.height;

function* listBlocks({ side, across, down, scales }: DetailMap, { width, height }: WorkInput['source']) {
  for (let y = 0; y < down; y++)
    for (let x = 0; x < across; x++) {
      const [left, top] = [x * side, y * side];
      const [right, bottom] = [x === across - 1 ? width : left + side, y === down - 1 ? height : top + side];
      yield { left, top, width: right - left, height: bottom - top, scale: scales[y * across + x] as number };
    }
}
