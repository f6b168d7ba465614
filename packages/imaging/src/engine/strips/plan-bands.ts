import type { Strip } from '../../plan/plan-strips.ts';
import type { Band } from './strip-columns.ts';

type Columns = Pick<Band, 'columns' | 'next'>;

/**
 * Divide the columns of an image into bands. The first layers are ahead of the last ones by `lag` columns, so bands begin half of
 * that later: all of them have the same work and memory. Throws Error for bands too narrow to have an output.
 */
export function planBands(width: number, strip: Pick<Strip, 'width' | 'lag'>): Columns[] {
  const count = Math.ceil(width / strip.width);
  const start = (band: number) => {
    if (band === 0) return 0;
    return band < count ? Math.ceil((band * width) / count + strip.lag / 2) : Number.POSITIVE_INFINITY;
  };
  if (count > 1 && width / count <= strip.lag / 2) throw new Error(`${count} bands are too many for ${width} columns`);
  return Array.from({ length: count }, (_, i) => ({
    columns: { height: width, before: start(i), now: start(i + 1) },
    next: { height: width, before: start(i + 1), now: start(i + 2) },
  }));
}
