import { encodeModel, type GraphPiece, joinPieces, type Node, port, type Tensor } from '../onnx/onnx-graph.ts';
import { type Graph, readGraph } from '../onnx/read-graph.ts';
import { cutPiece, historyPiece, keptPieces, rowsName } from './history-pieces.ts';
import { planColumns } from './plan-columns.ts';
import { readDelay } from './plan-delays.ts';
import { planHistories, type StripPlan } from './plan-histories.ts';
import { readRowNetwork } from './read-row-network.ts';
import { columnsName, type RowNetwork, type RowNode, type RowTensor, shapeOf } from './row-nodes.ts';
import { splitNetwork } from './split-network.ts';
import { columnPorts, cutsPort, historyPorts, latePort, newLatePort, takesBehind } from './strip-ports.ts';

/** A model that runs on strips of rows, and what is kept between them. */
export type StripModel = { model: Uint8Array; plan: StripPlan };

/**
 * Convert an upscaling model to one or two that run on strips, from top to bottom. The second runs on the output of the first.
 * The rows that a later strip needs are outputs of one run and inputs of the next, so no row is computed twice. Each convolution
 * pads with its zero above the first and below the last row of the image, as in one run over the whole image, and the results
 * equal those of that run. The weights are unchanged. `inBands`: the models run on bands of columns, from left to right, and keep
 * columns for the next band in the same way. Throws Error for models with other operators than those of chains and dense blocks.
 */
export function writeStripModels(model: Uint8Array, options = { inBands: false }): StripModel[] {
  const graph = readGraph(model);
  return splitNetwork(readRowNetwork(graph, options)).map((network) => {
    const plan = planHistories(network);
    return writePart(graph, network, options.inBands ? planColumns(plan) : plan);
  });
}

function writePart(graph: Graph, network: RowNetwork, plan: StripPlan): StripModel {
  const histories = new Map(plan.histories.map((history) => [history.tensor.name, history]));
  const first = histories.get(network.input.name);
  const pieces = network.nodes.map((item) => {
    const history = histories.get(item.output.name);
    return joinPieces([nodePiece(item, plan), ...(history ? [historyPiece(history, plan)] : [])]);
  });
  // onnxruntime runs what leads to the last node of this list first. In this order, the rows to keep are cut out as soon as a
  // tensor is complete, and its memory is reused.
  const kept = keptPieces(plan).toReversed();
  const parts = [cutPiece(plan), ...(first ? [historyPiece(first, plan)] : []), ...pieces, ...kept];
  const { nodes, tensors } = joinPieces(parts);
  const used = new Set(nodes.flatMap(({ input }) => input ?? []));
  const weights = new Map(
    [...graph.tensors, ...tensors].map((tensor): [string, Tensor] => [tensor.name ?? '', tensor]),
  );
  const read = [...weights].flatMap(([name, tensor]) => (used.has(name) ? [tensor] : []));
  return { model: encodeModel([{ nodes, tensors: read }], portsOf(plan)), plan };
}

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

function portsOf(plan: StripPlan) {
  const { network, histories, lateRows, cutCount, columns } = plan;
  const isBand = columns.length > 0;
  const portOf = (name: string, tensor: RowTensor) =>
    port(name, tensor.element, shapeOf(tensor, `${name}.height`, isBand ? `${name}.width` : columnsName(tensor)));
  const inputs = histories.flatMap((history) => {
    const { before, behind } = historyPorts(history);
    const names = takesBehind(history) ? [before, behind] : [before];
    return names.map((name) => portOf(name, history.tensor));
  });
  const late = lateRows.map((rows) => portOf(latePort(rows), rows.tensor));
  const shown = new Map(lateRows.map((rows) => [newLatePort(rows, plan), rows.tensor]));
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
    return (takesBehind(history) ? [left, right] : [left]).map((name) => portOf(name, history.tensor));
  }
}
