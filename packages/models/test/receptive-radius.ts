import type { Network, Operation } from '../src/ncnn/read-network.ts';

/**
 * Returns the receptive radius of an output pixel in input pixels: backward from the output, each convolution adds half
 * of its kernel, and each upscaling divides (rounded up).
 */
export function receptiveRadius(network: Network): number {
  const reach = new Map([[network.output, 0]]);
  for (const operation of network.operations.toReversed()) {
    const radius = reachOfInput(operation, reach.get(operation.output) ?? 0);
    const inputs = 'inputs' in operation ? operation.inputs : [operation.input];
    for (const input of inputs) reach.set(input, Math.max(reach.get(input) ?? 0, radius));
  }
  return reach.get(network.input) ?? 0;
}

function reachOfInput(operation: Operation, radius: number): number {
  if (operation.kind === 'convolution') return radius + (operation.kernel - 1) / 2;
  if (operation.kind === 'nearest') return Math.ceil(radius / operation.scale);
  if (operation.kind === 'pixel-shuffle') return Math.ceil(radius / operation.block);
  return radius;
}
