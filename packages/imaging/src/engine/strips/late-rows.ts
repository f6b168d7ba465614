import type { StripPlan } from '@uprez/models/streaming/plan-histories';
import { axesOf, type RowTensor, shapeOf } from '@uprez/models/streaming/row-nodes';
import { countRows, type Range, rangeOf, rowsAfter, type Strip } from '@uprez/models/streaming/row-ranges';
import { latePort } from '@uprez/models/streaming/strip-ports';
import type * as ort from 'onnxruntime-node';
import { makeFloats } from './make-rows.ts';

type Tensors = Record<string, ort.Tensor>;

/** Keep the rows of tensors that are read much later than they are made. */
export function openLateRows({ lateRows, network }: StripPlan, width: number) {
  const tensors = [...new Map(lateRows.map((late) => [late.tensor.name, late])).values()];
  const queues = new Map(tensors.map(({ tensor }) => [tensor.name, openRowQueue(tensor, width)]));
  /** Allocate the outputs of a strip that are kept. */
  const makeOutputs = (strip: Strip): Tensors => {
    const made = tensors.filter(({ tensor }) => tensor !== network.input);
    return Object.fromEntries(
      made.map(({ tensor, delay }) => {
        const lag = { scale: tensor.scale, delay };
        return [tensor.name, makeFloats(shapeOf(tensor, countRows(rangeOf(lag, strip), lag), width))];
      }),
    );
  };
  /** Keep the new rows of a strip, in the arrays of the given tensors. */
  const push = (strip: Strip, given: Tensors): void => {
    for (const { tensor, delay } of tensors) {
      const lag = { scale: tensor.scale, delay };
      const from = rowsAfter(lag, strip.before, strip.height);
      const made = rangeOf(lag, strip);
      if (from < made.until)
        queues.get(tensor.name)?.push({ ...made, from, made, tensor: given[tensor.name] as ort.Tensor });
    }
  };
  /** Make the inputs of a strip. */
  const take = (strip: Strip): Tensors =>
    Object.fromEntries(
      lateRows.map((late) => {
        const lag = { scale: late.tensor.scale, delay: late.readDelay };
        const { from } = rangeOf(lag, strip);
        const until = from + countRows(rangeOf(lag, strip), lag);
        return [latePort(late), queues.get(late.tensor.name)?.take({ from, until }) as ort.Tensor];
      }),
    );
  return { makeOutputs, push, take };
}

/** Rows `from` to `until`, out of a tensor that has the rows `made`. */
type Chunk = Range & { made: Range; tensor: ort.Tensor };

function openRowQueue(tensor: RowTensor, width: number) {
  const chunks: Chunk[] = [];
  const push = (chunk: Chunk) => void chunks.push(chunk);
  /** Copy rows and drop those above. Rows that don't exist are 0. */
  const take = ({ from, until }: Range): ort.Tensor => {
    while (chunks[0] && chunks[0].until <= from) chunks.shift();
    const taken = makeFloats(shapeOf(tensor, until - from, width));
    for (const chunk of chunks) {
      const rows = { from: Math.max(from, chunk.from), until: Math.min(until, chunk.until) };
      if (rows.from < rows.until) copyRows(tensor, { rows, chunk, taken, first: from });
    }
    return taken;
  };
  return { push, take };
}

type Copying = { rows: Range; chunk: Chunk; taken: ort.Tensor; first: number };

/** Copy rows between tensors. They are in one piece, or in one for each plane. */
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
