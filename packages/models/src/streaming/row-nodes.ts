import type { Node, Tensor } from '../onnx/onnx-graph.ts';

export type RowTensor = {
  name: string;
  element: 'float' | 'uint8';
  /** Order of the axes: (1, channels, rows, columns) for planes, (1, rows, columns, channels) for pixels. */
  layout: 'planes' | 'pixels';
  channels: number;
  /** Number of the tensor's rows per row of the image. */
  scale: number;
  /** Number of columns beyond `scale` times the width of the image. */
  border: number;
  /** Values, by channel, of the rows that a `Pad` added above and below the image. */
  edge: number[] | undefined;
};

/**
 * A node of a network as an operation on rows. `row`: reads the same row of all inputs. `window`: also reads the rows
 * above and below, and uses `edge` beyond the image. `upscale`: outputs `factor` rows for each input row. `tensors`:
 * tensors of the node that aren't in the original graph.
 */
export type RowNode = { node: Node; tensors: Tensor[]; inputs: string[]; output: RowTensor } & (
  | { kind: 'row' }
  | { kind: 'window'; edge: number[] }
  | { kind: 'upscale'; factor: number }
);

export type RowNetwork = { input: RowTensor; nodes: RowNode[]; output: RowTensor };

export const axesOf = {
  planes: { channels: 1, rows: 2, columns: 3 },
  pixels: { channels: 3, rows: 1, columns: 2 },
} as const;

export const columnCountOf = ({ scale, border }: RowTensor, width: number): number => scale * width + border;

/**
 * Returns the shape of a tensor with this number of rows and columns. For the inputs and outputs of a graph, `rows` and
 * `columns` are dimension names.
 */
export function shapeOf<T extends number | string>(
  { layout, channels }: RowTensor,
  rows: T,
  columns: T,
): (number | T)[] {
  return layout === 'planes' ? [1, channels, rows, columns] : [1, rows, columns, channels];
}

/** Returns the name of a tensor's column dimension. Tensors with different numbers of columns have different names. */
export const columnsName = ({ scale, border }: RowTensor): string => `width${scale}${border ? `+${border}` : ''}`;
