import type { RowNetwork, RowNode } from './row-nodes.ts';

/** Rows by which each tensor lags behind the image, in its own rows: behind T rows of the image, it has `scale` x T - delay rows. */
export type Delays = Map<string, number>;

/** The delay of the newest row that a node reads of its inputs. */
export function readDelay(node: RowNode, delays: Delays): number {
  const own = delays.get(node.output.name) ?? 0;
  if (node.kind === 'upscale') return own / node.factor;
  return node.kind === 'window' ? own - 1 : own;
}

/**
 * Compute the delay of every tensor. A node runs as soon as its inputs allow, except that rows are upscaled as late as their
 * readers allow, because the smaller rows are cheaper to keep.
 */
export function computeDelays({ input, nodes }: RowNetwork): Delays {
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
