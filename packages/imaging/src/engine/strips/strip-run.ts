import { type HistoryRows, measureStrip } from '@uprez/models/streaming/measure-strip';
import type { History, StripPlan } from '@uprez/models/streaming/plan-histories';
import { shapeOf } from '@uprez/models/streaming/row-nodes';
import { type Range, rangeOf, rowsAfter, type Strip } from '@uprez/models/streaming/row-ranges';
import { cutsPort, historyPorts, takesBehind } from '@uprez/models/streaming/strip-ports';
import * as ort from 'onnxruntime-node';
import { openLateRows } from './late-rows.ts';
import { makeRows } from './make-rows.ts';
import { openPassedColumns } from './passed-columns.ts';
import { type Band, measureColumns, type StripColumns } from './strip-columns.ts';

type Tensors = Record<string, ort.Tensor>;

/** A loaded strip model. `run` writes to the given outputs and returns new arrays for those that are null. */
export type StripPart = {
  plan: StripPlan;
  run: (inputs: Tensors, outputs: Record<string, ort.Tensor | null>) => Promise<Tensors>;
};

/** An image, and how many of its rows are run at a time. `band`: the columns that are run, all by default. */
export type StripSize = {
  width: number;
  height: number;
  stripRows: number;
  band?: Band | undefined;
};

/** Returns rows of an image as planes of floats. The last row is read again at the end. */
export type ReadRows = (rows: Range) => Promise<Float32Array>;

/** A tensor of finished rows. Those from row `first` on are new. `rows`: their number. */
export type StripOutput = { tensor: ort.Tensor; rows: number; first: number };

/** Returns the output of the next strip, or undefined when the output is complete. */
export type NextStrip = () => Promise<StripOutput | undefined>;

/** Start the run of a strip model over an image. */
export function startStripRun({ plan, run }: StripPart, size: StripSize, readRows: ReadRows): NextStrip {
  const { network, output } = plan;
  const { width, height, stripRows } = size;
  const { name } = network.output;
  const stripAt = (index: number): Strip => ({ height, before: index * stripRows, now: (index + 1) * stripRows });
  const columns = measureColumns(plan, width, size.band);
  const late = openLateRows(plan, columns);
  const passed = size.band && openPassedColumns(plan, columns, size.band);
  const unnamed = Object.fromEntries(
    [name, ...late.names, ...(passed?.names ?? [])]
      .filter((port) => port !== network.input.name)
      .map((port) => [port, null]),
  );
  let index = 0;
  let kept: Tensors = {};
  return async () => {
    const strip = stripAt(index);
    const before = rowsAfter(output, strip.before, height);
    if (before === output.scale * height) return undefined;
    const given = rangeOf({ scale: 1, delay: 0 }, strip);
    const shape = shapeOf(network.input, given.until - given.from, columns.input);
    const data = new ort.Tensor('float32', await readRows(given), shape);
    const states = makeStates(plan, { strip, next: stripAt(index + 1), kept, columns });
    const inputs = {
      [network.input.name]: data,
      ...late.take(strip),
      ...(await passed?.take(strip, index)),
      ...states.inputs,
    };
    const results = await run(inputs, { ...unnamed, ...states.outputs });
    late.push(strip, { ...results, [network.input.name]: data });
    await passed?.pass(index, results);
    kept = states.after;
    index++;
    const tensor = results[name] as ort.Tensor;
    const rows = tensor.dims[network.output.layout === 'planes' ? 2 : 1] as number;
    const made = rangeOf(output, strip);
    return { tensor, rows, first: made.until === 0 ? rows : before - made.from };
  };
}

type Step = { strip: Strip; next: Strip; kept: Tensors; columns: StripColumns };

/** The histories and cuts of a strip. `after`: kept rows by history, which replace `kept` after the run. */
function makeStates(plan: StripPlan, { strip, next, kept, columns }: Step) {
  const { histories, cuts } = measureStrip(plan, strip, next);
  const pairs = cuts.flatMap((row, i) => (columns.cuts ? [row, columns.cuts[i] ?? 0] : [row]));
  const cutValues = BigInt64Array.from(pairs, BigInt);
  const inputs: Tensors = { [cutsPort]: new ort.Tensor('int64', cutValues, [pairs.length]) };
  const outputs: Tensors = {};
  const after: Tensors = {};
  plan.histories.forEach((history, i) => {
    const rows = histories[i] as HistoryRows;
    const names = historyPorts(history);
    const width = columns.histories[i] as number;
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
