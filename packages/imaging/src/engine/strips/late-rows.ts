import type { StripPlan } from '@uprez/models/streaming/plan-histories';
import { countRows, rangeOf, rowsAfter, type Strip } from '@uprez/models/streaming/row-ranges';
import { latePort } from '@uprez/models/streaming/strip-ports';
import type * as ort from 'onnxruntime-node';
import { openRowQueue } from './row-queue.ts';

type Tensors = Record<string, ort.Tensor>;

/** Keep the rows of tensors that are read much later than they are made. `names`: of these tensors. */
export function openLateRows({ lateRows }: StripPlan, width: number) {
  const tensors = [...new Map(lateRows.map((late) => [late.tensor.name, late])).values()];
  const queues = new Map(tensors.map(({ tensor }) => [tensor.name, openRowQueue(tensor, width)]));
  /** Keep the new rows of a strip. */
  const push = (strip: Strip, given: Tensors): void => {
    for (const { tensor, delay } of tensors) {
      const lag = { scale: tensor.scale, delay };
      const from = rowsAfter(lag, strip.before, strip.height);
      const made = rangeOf(lag, strip);
      if (from >= made.until) continue;
      queues.get(tensor.name)?.push({ from, until: made.until, made, tensor: given[tensor.name] as ort.Tensor });
    }
  };
  /** Make the inputs of a strip. */
  const take = (strip: Strip): Tensors =>
    Object.fromEntries(
      lateRows.map((late) => {
        const lag = { scale: late.tensor.scale, delay: late.readDelay };
        const range = rangeOf(lag, strip);
        const rows = { from: range.from, until: range.from + countRows(range, lag) };
        return [latePort(late), queues.get(late.tensor.name)?.take(rows) as ort.Tensor];
      }),
    );
  return { names: tensors.map(({ tensor }) => tensor.name), push, take };
}
