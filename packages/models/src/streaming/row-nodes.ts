import type { Node, Tensor } from '../onnx/onnx-graph.ts';

/** Rows of samples. */
export type RowTensor = {
  name: string;
  element: 'float' | 'uint8';
  /** Order of the axes: (1, channels, rows, columns) for planes, (1, rows, columns, channels) for pixels. */
  layout: 'planes' | 'pixels';
  channels: number;
  /** Rows for each row of the image. */
  scale: number;
  /** Columns in addition to `scale` times the width of the image. */
  border: number;
  /** Values of the rows above and below the image that a `Pad` added, by channel. */
  edge: number[] | undefined;
};

/**
 * A node of a network, seen as an operation on rows. `row`: reads the same row of all inputs. `window`: reads the rows above and
 * below too, those beyond the image from `edge`. `upscale`: makes `factor` rows of each. `tensors`: the node's own.
 */
export type RowNode = { node: Node; tensors: Tensor[]; inputs: string[]; output: RowTensor } & (
  | { kind: 'row' }
  | { kind: 'window'; edge: number[] }
  | { kind: 'upscale'; factor: number }
);

/** A network as operations on rows, in order of execution. */
export type RowNetwork = { input: RowTensor; nodes: RowNode[]; output: RowTensor };

export const axesOf = {
  planes: { channels: 1, rows: 2, columns: 3 },
  pixels: { channels: 3, rows: 1, columns: 2 },
} as const;

/** Columns of a tensor, for an image of `width` columns. */
export const columnsOf = ({ scale, border }: RowTensor, width: number): number => scale * width + border;

/** Shape of some rows of a tensor, or the names of its dimensions for the ends of a graph. */
export function shapeOf<T extends number | string>(
  { layout, channels }: RowTensor,
  rows: T,
  columns: T,
): (number | T)[] {
  return layout === 'planes' ? [1, channels, rows, columns] : [1, rows, columns, channels];
}

/** Name for the number of columns of a tensor, which tensors with other numbers don't have. */
export const columnsName = ({ scale, border }: RowTensor): string => `width${scale}${border ? `+${border}` : ''}`;
