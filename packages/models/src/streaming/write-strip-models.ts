import {
  attributes,
  encodeModel,
  type GraphPiece,
  joinPieces,
  type Node,
  node,
  port,
  type Tensor,
  tensor,
} from '../onnx/onnx-graph.ts';
import { type Graph, readGraph } from '../onnx/read-graph.ts';
import { type ColumnHistory, type History, layOutStrip, readDelay, type StripLayout } from './lay-out-strip.ts';
import { readRowNetwork } from './read-row-network.ts';
import { axesOf, columnsName, type RowNetwork, type RowNode, type RowTensor, shapeOf } from './row-nodes.ts';
import { columnPorts, cutsPort, historyPorts, latePort, newLatePort, takesFollowingRows } from './strip-ports.ts';

/** A model that runs on strips of rows, and the layout of the state kept between strips. */
export type StripModel = { model: Uint8Array; layout: StripLayout };

/**
 * Converts an upscaling model into one or two models that run on strips, from top to bottom. The second model runs on
 * the output of the first. Rows that a later strip needs are outputs of one run and inputs of the next, so no row is
 * computed twice. The weights are unchanged. Above the first row of the image and below the last, each convolution pads
 * with its zero value, so the results are the same as in one run over the whole image. `inBands`: the models run on
 * bands of columns, from left to right, and keep columns for the next band in the same way. Throws Error for models
 * with operators that chains and dense blocks don't use.
 */
export function writeStripModels(model: Uint8Array, options = { inBands: false }): StripModel[] {
  const graph = readGraph(model);
  return splitNetwork(readRowNetwork(graph, options)).map((network) => {
    const layout = layOutStrip(network);
    return writePart(graph, network, options.inBands ? addColumns(layout) : layout);
  });
}

function writePart(graph: Graph, network: RowNetwork, layout: StripLayout): StripModel {
  const histories = new Map(layout.histories.map((history) => [history.tensor.name, history]));
  const first = histories.get(network.input.name);
  const pieces = network.nodes.map((item) => {
    const history = histories.get(item.output.name);
    return joinPieces([nodePiece(item, layout), ...(history ? [historyPiece(history, layout)] : [])]);
  });
  // onnxruntime first runs the nodes that the last node of this list depends on. Because the list is reversed, the rows
  // to keep are cut out as soon as a tensor is complete, and its memory can be reused.
  const kept = keptPieces(layout).toReversed();
  const parts = [cutPiece(layout), ...(first ? [historyPiece(first, layout)] : []), ...pieces, ...kept];
  const { nodes, tensors } = joinPieces(parts);
  const used = new Set(nodes.flatMap(({ input }) => input ?? []));
  const weights = new Map(
    [...graph.tensors, ...tensors].map((tensor): [string, Tensor] => [tensor.name ?? '', tensor]),
  );
  const read = [...weights].flatMap(([name, tensor]) => (used.has(name) ? [tensor] : []));
  return { model: encodeModel([{ nodes, tensors: read }], portsOf(layout)), layout };
}

/** Returns a node after renaming its inputs to the rows that match its delay. */
function nodePiece(item: RowNode, layout: StripLayout): GraphPiece {
  const rename = (name: string) => (item.inputs.includes(name) ? inputName(item, name, layout) : name);
  const node: Node = { ...item.node, input: (item.node.input ?? []).map(rename) };
  return { nodes: [node], tensors: item.tensors };
}

function inputName(item: RowNode, name: string, { histories, lateRows, delays }: StripLayout): string {
  const delay = readDelay(item, delays);
  const isWindow = item.kind === 'window';
  const late = lateRows.find(({ tensor, readDelay }) => !isWindow && tensor.name === name && readDelay === delay);
  if (late) return latePort(late);
  if (!isWindow && delay === delays.get(name)) return name;
  const history = histories.find(({ tensor }) => tensor.name === name);
  const read = history?.reads.find((read) => read.isWindow === isWindow && read.delay === delay + (isWindow ? 1 : 0));
  if (!history || !read) throw new Error(`${item.output.name} reads rows of ${name} that are not kept`);
  return rowsName(history.tensor, read.cut);
}

function portsOf(layout: StripLayout) {
  const { network, histories, lateRows, cutCount, columns } = layout;
  const isBand = columns.length > 0;
  const portOf = (name: string, tensor: RowTensor) =>
    port(name, tensor.element, shapeOf(tensor, `${name}.height`, isBand ? `${name}.width` : columnsName(tensor)));
  const inputs = histories.flatMap((history) => {
    const { before, behind } = historyPorts(history);
    const names = takesFollowingRows(history) ? [before, behind] : [before];
    return names.map((name) => portOf(name, history.tensor));
  });
  const late = lateRows.map((rows) => portOf(latePort(rows), rows.tensor));
  const shown = new Map(lateRows.map((rows) => [newLatePort(rows, layout), rows.tensor]));
  shown.delete(network.input.name);
  const kept = histories.map((history) => portOf(historyPorts(history).kept, history.tensor));
  return {
    inputs: [
      portOf(network.input.name, network.input),
      port(cutsPort, 'int64', [isBand ? 2 * cutCount : cutCount]),
      ...[...inputs, ...late, ...columns.flatMap(columnInputs)],
    ],
    outputs: [
      portOf(network.output.name, network.output),
      ...[...shown].map(([name, tensor]) => portOf(name, tensor)),
      ...[...kept, ...columns.map((history) => portOf(columnPorts(history).passed, history.tensor))],
    ],
  };
  function columnInputs(history: (typeof columns)[number]) {
    const { left, right } = columnPorts(history);
    return (takesFollowingRows(history) ? [left, right] : [left]).map((name) => portOf(name, history.tensor));
  }
}

/**
 * Adds the columns that a band keeps for the band to its right, for all histories and late rows. The caller keeps only
 * the columns of late rows that their reader needs.
 */
function addColumns(layout: StripLayout): StripLayout {
  let { cutCount } = layout;
  const takeCut = () => {
    cutCount += 2;
    return cutCount - 2;
  };
  const columns: ColumnHistory[] = layout.histories.map((history) => ({
    ...history,
    name: history.tensor.name,
    keptCut: takeCut(),
  }));
  for (const late of layout.lateRows) {
    const { tensor, delay, readDelay } = late;
    const reads = [{ delay: readDelay, isWindow: false, cut: takeCut() }];
    columns.push({ tensor, delay, edge: undefined, reads, keptCut: takeCut(), name: latePort(late) });
  }
  return { ...layout, columns, cutCount };
}

/**
 * Splits a network before the first node that upscales its rows, if only one tensor connects the two parts. The second
 * part has more and larger samples than the first, so it runs on fewer rows at a time.
 */
function splitNetwork(network: RowNetwork): RowNetwork[] {
  const { input, nodes, output } = network;
  const at = nodes.findIndex(({ kind }) => kind === 'upscale');
  const [first, second] = [nodes.slice(0, at), nodes.slice(at)];
  const passing = findPassedTensors(first, second, input);
  const [tensor] = passing;
  const hasWork = second.some(({ kind }) => kind === 'window');
  if (at < 1 || !hasWork || passing.length !== 1 || tensor?.element !== 'float' || tensor === input) return [network];
  return [
    { input, nodes: first, output: tensor },
    { input: tensor, nodes: second, output },
  ];
}

function findPassedTensors(first: RowNode[], second: RowNode[], input: RowTensor): RowTensor[] {
  const read = new Set(second.flatMap(({ inputs }) => inputs));
  return [input, ...first.map(({ output }) => output)].filter(({ name }) => read.has(name));
}

/** Names each cut, and defines the axes that cuts apply to: rows, or rows and columns in bands. */
function cutPiece({ cutCount, columns }: StripLayout): GraphPiece {
  const split = { ...node('Split', 'cut', [cutsPort]), attribute: attributes({ axis: 0 }) };
  const output = Array.from({ length: cutCount }, (_, i) => `cut${i}`);
  const axes = Object.entries(axesOf).map(([layout, { rows, columns: across }]) => {
    const axes = columns.length > 0 ? [rows, across] : [rows];
    return tensor(`axes.${layout}`, [axes.length], BigInt64Array.from(axes, BigInt));
  });
  return { nodes: [{ ...split, output }], tensors: axes };
}

const rowsName = (tensor: RowTensor, cut: number | undefined): string =>
  cut === undefined ? `${tensor.name}.rows` : `${tensor.name}.rows${cut}`;

const wideName = ({ name }: ColumnHistory) => `${name}.wide`;

/** Joins the rows of a tensor with rows from earlier strips, and cuts out the rows that each read takes. */
function historyPiece(history: History, { columns }: StripLayout): GraphPiece {
  const { tensor, reads } = history;
  const { before, behind } = historyPorts(history);
  const wide = columns.find(({ name }) => name === tensor.name);
  const parts = [before, wide ? wideName(wide) : tensor.name, ...(takesFollowingRows(history) ? [behind] : [])];
  const rows = concat(rowsName(tensor, undefined), parts, axesOf[tensor.layout].rows);
  const cuts = reads.flatMap(({ cut }) =>
    cut === undefined ? [] : [slice(tensor, { from: rowsName(tensor, undefined), output: rowsName(tensor, cut), cut })],
  );
  return joinPieces([...(wide ? [wideTensorPiece(wide)] : []), { nodes: [rows, ...cuts], tensors: [] }]);
}

function wideTensorPiece(columns: ColumnHistory): GraphPiece {
  const { tensor } = columns;
  const { left, right } = columnPorts(columns);
  const parts = [left, tensor.name, ...(takesFollowingRows(columns) ? [right] : [])];
  return { nodes: [concat(wideName(columns), parts, axesOf[tensor.layout].columns)], tensors: [] };
}

/** Extracts the rows kept for the next strip and the columns passed to the next band, in the order of the tensors. */
function keptPieces(layout: StripLayout): GraphPiece[] {
  const { network, histories, lateRows, columns } = layout;
  const late = columns.slice(histories.length);
  return [network.input, ...network.nodes.map(({ output }) => output)].flatMap(({ name }) => [
    ...histories.filter(({ tensor }) => tensor.name === name).map(keptRowsPiece),
    ...lateRows.flatMap((rows, i) => {
      const history = late[i];
      return history && rows.tensor.name === name ? [latePiece(history, newLatePort(rows, layout))] : [];
    }),
    ...columns.filter(({ tensor }) => tensor.name === name).map(passedPiece),
  ]);
}

function keptRowsPiece(history: History): GraphPiece {
  const { tensor, keptCut: cut } = history;
  const { kept } = historyPorts(history);
  return { nodes: [slice(tensor, { from: rowsName(tensor, undefined), output: kept, cut })], tensors: [] };
}

function passedPiece(columns: ColumnHistory): GraphPiece {
  const { tensor, keptCut: cut } = columns;
  const { passed } = columnPorts(columns);
  return { nodes: [slice(tensor, { from: wideName(columns), output: passed, cut })], tensors: [] };
}

function latePiece(columns: ColumnHistory, output: string): GraphPiece {
  const cut = columns.reads[0]?.cut ?? 0;
  const made = slice(columns.tensor, { from: wideName(columns), output, cut });
  return joinPieces([wideTensorPiece(columns), { nodes: [made], tensors: [] }]);
}

const concat = (output: string, parts: string[], axis: number): Node => ({
  ...node('Concat', output, parts),
  attribute: attributes({ axis }),
});

type SliceInput = { from: string; output: string; cut: number };

const slice = ({ layout }: RowTensor, { from, output, cut }: SliceInput): Node =>
  node('Slice', output, [from, `cut${cut}`, `cut${cut + 1}`, `axes.${layout}`]);
