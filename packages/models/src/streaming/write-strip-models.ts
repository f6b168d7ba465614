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
import { readDelay } from './plan-delays.ts';
import { type History, planHistories, type StripPlan } from './plan-histories.ts';
import { readRowNetwork } from './read-row-network.ts';
import { axesOf, type RowNetwork, type RowNode, type RowTensor, shapeNames } from './row-nodes.ts';
import { splitNetwork } from './split-network.ts';
import { cutsPort, historyPorts, latePort, takesBehind } from './strip-ports.ts';

/** A model that runs on strips of rows, and what is kept between them. */
export type StripModel = { model: Uint8Array; plan: StripPlan };

/**
 * Convert an upscaling model to one or two that run on strips, from top to bottom. The second runs on the output of the first.
 * The rows that a later strip needs are outputs of one
 * run and inputs of the next, so no row is computed twice. Each convolution pads with its zero above the first and below the last
 * row of the image, as in one run over the whole image, and the results equal those of that run. The weights are unchanged.
 * Throws Error for models with other operators than those of chains and dense blocks.
 */
export function writeStripModels(model: Uint8Array): StripModel[] {
  const graph = readGraph(model);
  return splitNetwork(readRowNetwork(graph)).map((network) => writePart(graph, network));
}

function writePart(graph: Graph, network: RowNetwork): StripModel {
  const plan = planHistories(network);
  const histories = new Map(plan.histories.map((history) => [history.tensor.name, history]));
  const first = histories.get(network.input.name);
  const pieces = network.nodes.map((item) => {
    const history = histories.get(item.output.name);
    return joinPieces([nodePiece(item, plan), ...(history ? [historyPiece(history)] : [])]);
  });
  // onnxruntime runs what leads to the last node of this list first. In this order, the rows to keep are cut out as soon as a
  // tensor is complete, and its memory is reused.
  const kept = plan.histories.toReversed().map(keptPiece);
  const parts = [cutPiece(plan), ...(first ? [historyPiece(first)] : []), ...pieces, ...kept];
  const { nodes, tensors } = joinPieces(parts);
  const used = new Set(nodes.flatMap(({ input }) => input ?? []));
  const weights = new Map(
    [...graph.tensors, ...tensors].map((tensor): [string, Tensor] => [tensor.name ?? '', tensor]),
  );
  const read = [...weights].flatMap(([name, tensor]) => (used.has(name) ? [tensor] : []));
  return { model: encodeModel([{ nodes, tensors: read }], portsOf(plan)), plan };
}

/** The axes of rows, and one name for each cut. */
function cutPiece({ cutCount }: StripPlan): GraphPiece {
  const split = { ...node('Split', 'cut', [cutsPort]), attribute: attributes({ axis: 0 }) };
  const output = Array.from({ length: cutCount }, (_, i) => `cut${i}`);
  const axes = Object.values(axesOf).map(({ rows }) => tensor(`axis${rows}`, [1], BigInt64Array.of(BigInt(rows))));
  return { nodes: [{ ...split, output }], tensors: axes };
}

const rowsName = (tensor: RowTensor, cut: number | undefined) =>
  cut === undefined ? `${tensor.name}.rows` : `${tensor.name}.rows${cut}`;

/** Join the rows of a tensor with those from earlier strips, and cut out the rows of each reader. */
function historyPiece(history: History): GraphPiece {
  const { tensor, reads } = history;
  const { before, behind } = historyPorts(history);
  const parts = [before, tensor.name, ...(takesBehind(history) ? [behind] : [])];
  const attribute = attributes({ axis: axesOf[tensor.layout].rows });
  const rows = { ...node('Concat', rowsName(tensor, undefined), parts), attribute };
  const cuts = reads.flatMap(({ cut }) => (cut === undefined ? [] : [slice(tensor, rowsName(tensor, cut), cut)]));
  return { nodes: [rows, ...cuts], tensors: [] };
}

/** Cut out the rows that are kept for the next strip. */
const keptPiece = (history: History): GraphPiece => ({
  nodes: [slice(history.tensor, historyPorts(history).kept, history.keptCut)],
  tensors: [],
});

const slice = (tensor: RowTensor, output: string, cut: number): Node =>
  node('Slice', output, [
    rowsName(tensor, undefined),
    `cut${cut}`,
    `cut${cut + 1}`,
    `axis${axesOf[tensor.layout].rows}`,
  ]);

/** A node that reads the rows of its delay. */
function nodePiece(item: RowNode, plan: StripPlan): GraphPiece {
  const rename = (name: string) => (item.inputs.includes(name) ? inputName(item, name, plan) : name);
  const node: Node = { ...item.node, input: (item.node.input ?? []).map(rename) };
  return { nodes: [node], tensors: item.tensors };
}

function inputName(item: RowNode, name: string, { histories, lateRows, delays }: StripPlan): string {
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

function portsOf({ network, histories, lateRows, cutCount }: StripPlan) {
  const portOf = (name: string, tensor: RowTensor, rows: string) =>
    port(name, tensor.element, shapeNames(tensor, rows));
  const inputs = histories.flatMap((history) => {
    const { before, behind } = historyPorts(history);
    const names = takesBehind(history) ? [before, behind] : [before];
    return names.map((name) => portOf(name, history.tensor, name));
  });
  const late = lateRows.map((rows) => portOf(latePort(rows), rows.tensor, latePort(rows)));
  const shown = new Map(lateRows.map(({ tensor }) => [tensor.name, tensor]));
  shown.delete(network.input.name);
  const outputs = [network.output, ...shown.values()].map((tensor) =>
    portOf(tensor.name, tensor, `${tensor.name}.height`),
  );
  const kept = histories.map((history) =>
    portOf(historyPorts(history).kept, history.tensor, historyPorts(history).kept),
  );
  return {
    inputs: [
      portOf(network.input.name, network.input, 'height'),
      port(cutsPort, 'int64', [cutCount]),
      ...inputs,
      ...late,
    ],
    outputs: [...outputs, ...kept],
  };
}
