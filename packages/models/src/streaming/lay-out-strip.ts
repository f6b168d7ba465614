import type { RowNetwork, RowNode, RowTensor } from './row-nodes.ts';
import type { Lag } from './row-ranges.ts';

/**
 * Rows of a tensor that nodes read with the same delay. `isWindow`: whether the rows above and below are also read.
 * `cut`: index in the cuts where the start and end of these rows are stored. Undefined if the whole history is read.
 */
export type HistoryRead = { delay: number; isWindow: boolean; cut: number | undefined };

/**
 * A tensor that keeps rows from earlier strips. All its readers share them. `edge`: values, by channel, of the rows
 * above and below the image. `keptCut`: index in the cuts where the start and end of the rows to keep for the next
 * strip are stored.
 */
export type History = {
  tensor: RowTensor;
  delay: number;
  edge: number[] | undefined;
  reads: HistoryRead[];
  keptCut: number;
};

/**
 * Rows of a tensor that are read much later than they are computed, so the caller keeps them. `delay`: delay of the
 * tensor. `readDelay`: delay at which the rows are read.
 */
export type LateRows = { tensor: RowTensor; delay: number; readDelay: number };

/**
 * State that a network keeps between strips. `cutCount`: number of cuts, which are the starts and ends of rows that the
 * caller provides with each strip.
 */
export type StripLayout = {
  network: RowNetwork;
  histories: History[];
  lateRows: LateRows[];
  cutCount: number;
  /** Columns to keep for the next band. Empty for a model that runs on the full width. */
  columns: ColumnHistory[];
  output: Lag;
  delays: Delays;
};

/**
 * Columns of a tensor that the next band reads. They belong to a history or to late rows. Columns are handled like
 * rows, so reads have the same delays and cuts. `name`: prefix of the port names.
 */
export type ColumnHistory = History & { name: string };

/** Maximum number of image rows per run. */
export const maxStripRows = 64;

export function layOutStrip(network: RowNetwork): StripLayout {
  const delays = computeDelays(network);
  const layout: StripLayout = {
    ...{ network, histories: [], lateRows: [], cutCount: 0, columns: [], delays },
    output: { scale: network.output.scale, delay: delays.get(network.output.name) ?? 0 },
  };
  const takeCut = () => {
    layout.cutCount += 2;
    return layout.cutCount - 2;
  };
  for (const tensor of [network.input, ...network.nodes.map(({ output }) => output)]) {
    const delay = delays.get(tensor.name) ?? 0;
    const readers = network.nodes.filter(({ inputs }) => inputs.includes(tensor.name));
    const late = new Set(
      readers.filter((node) => readsLateRows(node, tensor, delays)).map((node) => readDelay(node, delays)),
    );
    for (const readDelay of late) layout.lateRows.push({ tensor, delay, readDelay });
    const kept = readers.filter((node) => !readsLateRows(node, tensor, delays));
    const reads = listReads(kept, delay, delays);
    if (reads.length === 0) continue;
    for (const read of reads) if (!readsAll(read, reads, delay)) read.cut = takeCut();
    layout.histories.push({ tensor, delay, edge: commonEdge(readers), reads, keptCut: takeCut() });
  }
  return layout;
}

/**
 * Whether the caller keeps the rows that a node reads, instead of a history. True if the rows are read at least one
 * full strip after they are computed, because a history would copy them in every strip.
 */
const readsLateRows = (node: RowNode, { scale, name, element }: RowTensor, delays: Delays) =>
  node.kind !== 'window' &&
  element === 'float' &&
  readDelay(node, delays) - (delays.get(name) ?? 0) >= maxStripRows * scale;

/** Returns the distinct reads that need rows from earlier strips. */
function listReads(readers: RowNode[], delay: number, delays: Delays): HistoryRead[] {
  const reads = new Map<string, HistoryRead>();
  for (const node of readers) {
    const isWindow = node.kind === 'window';
    const read = { delay: readDelay(node, delays) + (isWindow ? 1 : 0), isWindow, cut: undefined };
    if (isWindow || read.delay > delay) reads.set(keyOf(read), read);
  }
  return [...reads.values()];
}

const keyOf = ({ delay, isWindow }: HistoryRead) => `${isWindow ? 'window' : 'row'}${delay}`;

const readsAll = (read: HistoryRead, reads: HistoryRead[], delay: number): boolean =>
  read.isWindow &&
  read.delay === delay + 1 &&
  reads.every((other) => other === read || (!other.isWindow && other.delay === read.delay));

function commonEdge(readers: RowNode[]): number[] | undefined {
  const edges = readers.flatMap((node) => (node.kind === 'window' ? [node.edge] : []));
  const [edge] = edges;
  if (edges.some((other) => other.join() !== edge?.join())) throw new Error('a tensor has different edges');
  return edge;
}

/**
 * Delay of each tensor, by name: the number of rows, in its own scale, by which it lags behind the image. After T rows
 * of the image, a tensor has `scale` x T - delay rows.
 */
type Delays = Map<string, number>;

/** Returns the delay of the newest input row that a node reads. */
export function readDelay(node: RowNode, delays: Delays): number {
  const own = delays.get(node.output.name) ?? 0;
  if (node.kind === 'upscale') return own / node.factor;
  return node.kind === 'window' ? own - 1 : own;
}

/**
 * Computes the delay of every tensor. Most nodes run as soon as their inputs are available. Nodes that upscale rows run
 * as late as their readers allow, because rows are smaller before upscaling and cheaper to keep.
 */
function computeDelays({ input, nodes }: RowNetwork): Delays {
  const delays: Delays = new Map([[input.name, 0]]);
  for (const node of nodes) {
    const newest = Math.max(...node.inputs.map((name) => delays.get(name) ?? 0));
    const own = node.kind === 'upscale' ? newest * node.factor : node.kind === 'window' ? newest + 1 : newest;
    delays.set(node.output.name, own);
  }
  for (const node of nodes.toReversed()) {
    if (node.kind !== 'upscale') continue;
    const readers = nodes.filter(({ inputs }) => inputs.includes(node.output.name));
    if (readers.length === 0) continue;
    const latest = Math.min(...readers.map((reader) => readDelay(reader, delays)));
    delays.set(node.output.name, latest - (latest % node.factor));
  }
  return delays;
}
