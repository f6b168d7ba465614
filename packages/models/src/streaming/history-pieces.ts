import { attributes, type GraphPiece, joinPieces, type Node, node, tensor } from '../onnx/onnx-graph.ts';
import type { ColumnHistory, History, StripPlan } from './plan-histories.ts';
import { axesOf, type RowTensor } from './row-nodes.ts';
import { columnPorts, cutsPort, historyPorts, newLatePort, takesBehind } from './strip-ports.ts';

/** The axes that cuts are along, and one name for each cut: a row, or a row and a column in bands. */
export function cutPiece({ cutCount, columns }: StripPlan): GraphPiece {
  const split = { ...node('Split', 'cut', [cutsPort]), attribute: attributes({ axis: 0 }) };
  const output = Array.from({ length: cutCount }, (_, i) => `cut${i}`);
  const axes = Object.entries(axesOf).map(([layout, { rows, columns: across }]) => {
    const axes = columns.length > 0 ? [rows, across] : [rows];
    return tensor(`axes.${layout}`, [axes.length], BigInt64Array.from(axes, BigInt));
  });
  return { nodes: [{ ...split, output }], tensors: axes };
}

/** Name of the rows that a read takes. */
export const rowsName = (tensor: RowTensor, cut: number | undefined): string =>
  cut === undefined ? `${tensor.name}.rows` : `${tensor.name}.rows${cut}`;

const wideName = ({ name }: ColumnHistory) => `${name}.wide`;

/** Join the rows of a tensor with those from earlier strips, and cut out the rows of each reader. */
export function historyPiece(history: History, { columns }: StripPlan): GraphPiece {
  const { tensor, reads } = history;
  const { before, behind } = historyPorts(history);
  const wide = columns.find(({ name }) => name === tensor.name);
  const parts = [before, wide ? wideName(wide) : tensor.name, ...(takesBehind(history) ? [behind] : [])];
  const rows = concat(rowsName(tensor, undefined), parts, axesOf[tensor.layout].rows);
  const cuts = reads.flatMap(({ cut }) =>
    cut === undefined ? [] : [slice(tensor, { from: rowsName(tensor, undefined), output: rowsName(tensor, cut), cut })],
  );
  return joinPieces([...(wide ? [widePiece(wide)] : []), { nodes: [rows, ...cuts], tensors: [] }]);
}

/** Join the new rows of a tensor with columns of the band to the left. */
function widePiece(columns: ColumnHistory): GraphPiece {
  const { tensor } = columns;
  const { left, right } = columnPorts(columns);
  const parts = [left, tensor.name, ...(takesBehind(columns) ? [right] : [])];
  return { nodes: [concat(wideName(columns), parts, axesOf[tensor.layout].columns)], tensors: [] };
}

/** Cut out what is kept for the next strip and the next band, in the order of the tensors. */
export function keptPieces(plan: StripPlan): GraphPiece[] {
  const { network, histories, lateRows, columns } = plan;
  const late = columns.slice(histories.length);
  return [network.input, ...network.nodes.map(({ output }) => output)].flatMap(({ name }) => [
    ...histories.filter(({ tensor }) => tensor.name === name).map(keptPiece),
    ...lateRows.flatMap((rows, i) => {
      const history = late[i];
      return history && rows.tensor.name === name ? [latePiece(history, newLatePort(rows, plan))] : [];
    }),
    ...columns.filter(({ tensor }) => tensor.name === name).map(passedPiece),
  ]);
}

/** Cut out the rows that are kept for the next strip. */
function keptPiece(history: History): GraphPiece {
  const { tensor, keptCut: cut } = history;
  const { kept } = historyPorts(history);
  return { nodes: [slice(tensor, { from: rowsName(tensor, undefined), output: kept, cut })], tensors: [] };
}

/** Cut out the columns that are passed to the next band. */
function passedPiece(columns: ColumnHistory): GraphPiece {
  const { tensor, keptCut: cut } = columns;
  const { passed } = columnPorts(columns);
  return { nodes: [slice(tensor, { from: wideName(columns), output: passed, cut })], tensors: [] };
}

/** Cut new late rows to the columns of their reader. */
function latePiece(columns: ColumnHistory, output: string): GraphPiece {
  const cut = columns.reads[0]?.cut ?? 0;
  const made = slice(columns.tensor, { from: wideName(columns), output, cut });
  return joinPieces([widePiece(columns), { nodes: [made], tensors: [] }]);
}

const concat = (output: string, parts: string[], axis: number): Node => ({
  ...node('Concat', output, parts),
  attribute: attributes({ axis }),
});

type Slicing = { from: string; output: string; cut: number };

const slice = ({ layout }: RowTensor, { from, output, cut }: Slicing): Node =>
  node('Slice', output, [from, `cut${cut}`, `cut${cut + 1}`, `axes.${layout}`]);
