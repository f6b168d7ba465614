import type { ColumnHistory, StripPlan } from './plan-histories.ts';
import { latePort } from './strip-ports.ts';

/**
 * Plan which columns a band keeps for the band to its right: those of all histories, and of late rows, which the caller keeps in
 * the columns of their reader.
 */
export function planColumns(plan: StripPlan): StripPlan {
  let { cutCount } = plan;
  const takeCut = () => {
    cutCount += 2;
    return cutCount - 2;
  };
  const columns: ColumnHistory[] = plan.histories.map((history) => ({
    ...history,
    name: history.tensor.name,
    keptCut: takeCut(),
  }));
  for (const late of plan.lateRows) {
    const { tensor, delay, readDelay } = late;
    const reads = [{ delay: readDelay, isWindow: false, cut: takeCut() }];
    columns.push({ tensor, delay, edge: undefined, reads, keptCut: takeCut(), name: latePort(late) });
  }
  return { ...plan, columns, cutCount };
}
