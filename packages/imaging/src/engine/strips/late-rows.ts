import type { StripPlan } from '@uprez/models/streaming/plan-histories';
import { countRows, rangeOf, rowsAfter, type Strip } from '@uprez/models/streaming/row-ranges';
import { latePort, newLatePort } from '@uprez/models/streaming/strip-ports';
import { openRowQueue } from './row-queue.ts';
import type { StripColumns } from './strip-columns.ts';
import type { StripTensor, StripTensors } from './strip-tensor.ts';

/** Keep the rows of tensors that are read much later than they are made. `names`: of the outputs with these. */
export function openLateRows(plan: StripPlan, columns: StripColumns) {
  const all = plan.lateRows.map((late, i) => ({
    ...late,
    output: newLatePort(late, plan),
    input: latePort(late),
    queue: openRowQueue(late.tensor, columns.late[i] ?? 0),
  }));
  /** Keep the new rows of a strip. */
  const push = (strip: Strip, given: StripTensors): void => {
    for (const { tensor, delay, output, queue } of all) {
      const lag = { scale: tensor.scale, delay };
      const from = rowsAfter(lag, strip.before, strip.height);
      const made = rangeOf(lag, strip);
      if (from >= made.until) continue;
      queue.push({ from, until: made.until, made, tensor: given[output] as StripTensor });
    }
  };
  /** Make the inputs of a strip. */
  const take = (strip: Strip): StripTensors =>
    Object.fromEntries(
      all.map(({ tensor, readDelay, input, queue }) => {
        const lag = { scale: tensor.scale, delay: readDelay };
        const range = rangeOf(lag, strip);
        return [input, queue.take({ from: range.from, until: range.from + countRows(range, lag) })];
      }),
    );
  return { names: all.map(({ output }) => output), push, take };
}
