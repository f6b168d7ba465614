import { type HistoryRows, measureStrip } from '@uprez/models/streaming/measure-strip';
import type { History, StripPlan } from '@uprez/models/streaming/plan-histories';
import { shapeOf } from '@uprez/models/streaming/row-nodes';
import { countRows, type Range, rangeOf, rowsAfter, type Strip } from '@uprez/models/streaming/row-ranges';
import { cutsPort, historyPorts, takesBehind } from '@uprez/models/streaming/strip-ports';
import * as ort from 'onnxruntime-node';
import { openLateRows } from './late-rows.ts';
import { makeFloats, makeRows } from './make-rows.ts';

type Tensors = Record<string, ort.Tensor>;
/** Run a model. The results are written to the given outputs. */
export type RunModel = (inputs: Tensors, outputs: Tensors) => Promise<unknown>;

/** An image, and how many of its rows are run at a time. */
export type StripSize = { width: number; height: number; stripRows: number };

/** `rows` rows of the output as planes. Those from row `first` on are new. */
export type StripOutput = { planes: Float32Array; rows: number; first: number };

/** Start the run of a strip model over an image. */
export function startStripRun(plan: StripPlan, runModel: RunModel, { width, height, stripRows }: StripSize) {
  const { network, output } = plan;
  const image = { scale: network.input.scale, delay: 0 };
  const stripAt = (index: number): Strip => ({ height, before: index * stripRows, now: (index + 1) * stripRows });
  const late = openLateRows(plan, width);
  let index = 0;
  let kept: Tensors = {};
  let drawn = makeFloats([1, 3, 0, 0]);

  /** The rows of the image for the next strip, or undefined when the output is complete. At the end, the last row is repeated. */
  const needs = (): Range | undefined => {
    const isComplete = rowsAfter(output, index * stripRows, height) === output.scale * height;
    return isComplete ? undefined : rangeOf(image, stripAt(index));
  };

  /** Run the next strip on the rows of `needs`, planar RGB floats 0-1. The array is kept, and that of the result is reused. */
  const run = async (planes: Float32Array): Promise<StripOutput> => {
    const strip = stripAt(index);
    const given = planes.length / network.input.channels / width;
    const data = new ort.Tensor('float32', planes, shapeOf(network.input, given, width));
    const made = rangeOf(output, strip);
    const dims = shapeOf(network.output, countRows(made, output), width);
    if (drawn.dims.join() !== dims.join()) drawn = makeFloats(dims);
    const states = makeStates(plan, { strip, next: stripAt(index + 1), kept, width });
    const lateOutputs = late.makeOutputs(strip);
    await runModel(
      { [network.input.name]: data, ...late.take(strip), ...states.inputs },
      { [network.output.name]: drawn, ...lateOutputs, ...states.outputs },
    );
    late.push(strip, { [network.input.name]: data, ...lateOutputs });
    kept = states.after;
    index++;
    const rows = countRows(made, output);
    const first = made.until === 0 ? rows : rowsAfter(output, strip.before, height) - made.from;
    return { planes: drawn.data as Float32Array, rows, first };
  };
  return { needs, run };
}

type Step = { strip: Strip; next: Strip; kept: Tensors; width: number };

/** The histories and cuts of a strip. `after`: kept rows by history, which replace `kept` after the run. */
function makeStates(plan: StripPlan, { strip, next, kept, width }: Step) {
  const { histories, cuts } = measureStrip(plan, strip, next);
  const cutValues = BigInt64Array.from(cuts, BigInt);
  const inputs: Tensors = { [cutsPort]: new ort.Tensor('int64', cutValues, [cuts.length]) };
  const outputs: Tensors = {};
  const after: Tensors = {};
  plan.histories.forEach((history, i) => {
    const rows = histories[i] as HistoryRows;
    const names = historyPorts(history);
    const before = kept[names.kept] ?? makeRows(history, rows.before, width);
    const count = rows.kept.until - rows.kept.from;
    // The model copies the earlier rows before it writes the later ones, so both may have the same memory.
    const later = sameRows(before, history, count) ? before : makeRows(history, count, width);
    inputs[names.before] = before;
    if (takesBehind(history)) inputs[names.behind] = makeRows(history, rows.behind, width);
    outputs[names.kept] = later;
    after[names.kept] = later;
  });
  return { inputs, outputs, after };
}

const sameRows = (tensor: ort.Tensor, { tensor: { layout } }: History, rows: number): boolean =>
  tensor.dims[layout === 'planes' ? 2 : 1] === rows;
