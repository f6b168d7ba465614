import type { History, StripLayout } from '@uprez/models/streaming/lay-out-strip';
import { type HistoryRows, measureStrip } from '@uprez/models/streaming/measure-strip';
import { axesOf, type RowTensor, shapeOf } from '@uprez/models/streaming/row-nodes';
import { countRows, type RowRange, rangeOf, rowCountAfter, type Strip } from '@uprez/models/streaming/row-ranges';
import { cutsPort, historyPorts, latePort, newLatePort, takesFollowingRows } from '@uprez/models/streaming/strip-ports';
import { type Band, measureColumns, type StripColumns } from './strip-columns.ts';
import { makeFloatTensor, makeRows, type RunStrip, type StripTensor, type StripTensors } from './strip-tensor.ts';

export type StripPart = { layout: StripLayout; run: RunStrip };

/** Image size, and number of rows to run at a time. `band`: columns to run. Defaults to all columns. */
export type StripSize = {
  width: number;
  height: number;
  stripRows: number;
  band?: Band | undefined;
};

/** Returns rows of an image as planes of floats. After the last row of the image, that row is requested again. */
export type ReadRows = (rows: RowRange) => Promise<Float32Array>;

/** A tensor of finished rows. `rows`: number of rows. `first`: index of the first new row. */
export type StripOutput = { tensor: StripTensor; rows: number; first: number };

/** Returns the output of the next strip, or undefined when the output is complete. */
export type NextStrip = () => Promise<StripOutput | undefined>;

export function startStripRun({ layout, run }: StripPart, size: StripSize, readRows: ReadRows): NextStrip {
  const { network, output } = layout;
  const { width, height, stripRows } = size;
  const { name } = network.output;
  const stripAt = (index: number): Strip => ({ height, before: index * stripRows, now: (index + 1) * stripRows });
  const columns = measureColumns(layout, width, size.band);
  const late = openLateRows(layout, columns);
  const passed = size.band?.pass(layout, columns, size.band);
  const unnamed = Object.fromEntries(
    [name, ...late.names, ...(passed?.names ?? [])]
      .filter((port) => port !== network.input.name)
      .map((port) => [port, null]),
  );
  let index = 0;
  const kept: StripTensors = {};
  return async () => {
    const strip = stripAt(index);
    const before = rowCountAfter(output, strip.before, height);
    if (before === output.scale * height) return undefined;
    const given = rangeOf({ scale: 1, delay: 0 }, strip);
    const shape = shapeOf(network.input, given.until - given.from, columns.input);
    const data: StripTensor = { type: 'float32', data: await readRows(given), dims: shape };
    const states = makeStates(layout, { strip, next: stripAt(index + 1), kept, columns });
    const inputs = {
      [network.input.name]: data,
      ...late.take(strip),
      ...(await passed?.take(strip, index)),
      ...states.inputs,
    };
    const results = await run(inputs, { ...unnamed, ...states.outputs });
    late.push(strip, { ...results, [network.input.name]: data });
    await passed?.pass(index, results);
    for (const port of Object.keys(states.outputs)) kept[port] = results[port] as StripTensor;
    index++;
    const tensor = results[name] as StripTensor;
    const rows = tensor.dims[network.output.layout === 'planes' ? 2 : 1] as number;
    const made = rangeOf(output, strip);
    return { tensor, rows, first: made.until === 0 ? rows : before - made.from };
  };
}

type Step = { strip: Strip; next: Strip; kept: StripTensors; columns: StripColumns };

function makeStates(layout: StripLayout, { strip, next, kept, columns }: Step) {
  const { histories, cuts } = measureStrip(layout, strip, next);
  const pairs = cuts.flatMap((row, i) => (columns.cuts ? [row, columns.cuts[i] ?? 0] : [row]));
  const cutValues = BigInt64Array.from(pairs, BigInt);
  const inputs: StripTensors = { [cutsPort]: { type: 'int64', data: cutValues, dims: [pairs.length] } };
  const outputs: StripTensors = {};
  layout.histories.forEach((history, i) => {
    const rows = histories[i] as HistoryRows;
    const names = historyPorts(history);
    const width = columns.histories[i] as number;
    const before = kept[names.kept] ?? makeRows(history, rows.before, width);
    const count = rows.kept.until - rows.kept.from;
    // `later` can share memory with `before`, because the model copies the earlier rows before it writes the later
    // ones.
    const later = hasRowCount(before, history, count) ? before : makeRows(history, count, width);
    inputs[names.before] = before;
    if (takesFollowingRows(history)) inputs[names.behind] = makeRows(history, rows.behind, width);
    outputs[names.kept] = later;
  });
  return { inputs, outputs };
}

const hasRowCount = (tensor: StripTensor, { tensor: { layout } }: History, rows: number): boolean =>
  tensor.dims[layout === 'planes' ? 2 : 1] === rows;

/**
 * Keeps the rows of tensors that are read much later than they are computed. `names`: names of the outputs that contain
 * these rows.
 */
function openLateRows(layout: StripLayout, columns: StripColumns) {
  const all = layout.lateRows.map((late, i) => ({
    ...late,
    output: newLatePort(late, layout),
    input: latePort(late),
    queue: openRowQueue(late.tensor, columns.late[i] ?? 0),
  }));
  const push = (strip: Strip, given: StripTensors): void => {
    for (const { tensor, delay, output, queue } of all) {
      const lag = { scale: tensor.scale, delay };
      const from = rowCountAfter(lag, strip.before, strip.height);
      const made = rangeOf(lag, strip);
      if (from >= made.until) continue;
      queue.push({ from, until: made.until, made, tensor: given[output] as StripTensor });
    }
  };
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

/** Rows `from` to `until` of a tensor that contains the rows `made`. */
type Chunk = RowRange & { made: RowRange; tensor: StripTensor };

/** Queues rows of a float tensor until they are read. Queued rows aren't copied. */
export function openRowQueue(tensor: RowTensor, columns: number) {
  const chunks: Chunk[] = [];
  const push = (chunk: Chunk) => void chunks.push(chunk);
  /** Returns a copy of rows `from` to `until`, and drops the queued chunks above them. Rows that don't exist are 0. */
  const take = ({ from, until }: RowRange): StripTensor => {
    while (chunks[0] && chunks[0].until <= from) chunks.shift();
    const taken = makeFloatTensor(shapeOf(tensor, until - from, columns));
    for (const chunk of chunks) {
      const rows = { from: Math.max(from, chunk.from), until: Math.min(until, chunk.until) };
      if (rows.from < rows.until) copyRows(tensor, { rows, chunk, taken, first: from });
    }
    return taken;
  };
  return { push, take };
}

type Copying = { rows: RowRange; chunk: Chunk; taken: StripTensor; first: number };

function copyRows({ layout }: RowTensor, { rows, chunk: { made, tensor }, taken, first }: Copying): void {
  const [source, target] = [tensor.data as Float32Array, taken.data as Float32Array];
  const pieces = layout === 'planes' ? (tensor.dims[axesOf.planes.channels] ?? 1) : 1;
  const count = taken.dims[axesOf[layout].rows] ?? 1;
  const length = target.length / pieces / count;
  const madeCount = source.length / pieces / length;
  for (let piece = 0; piece < pieces; piece++) {
    const start = (piece * madeCount + rows.from - made.from) * length;
    const part = source.subarray(start, start + (rows.until - rows.from) * length);
    target.set(part, (piece * count + rows.from - first) * length);
  }
}
