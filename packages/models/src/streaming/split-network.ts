import type { RowNetwork, RowNode, RowTensor } from './row-nodes.ts';

/**
 * Split a network in front of the first node that upscales its rows, if a single tensor passes there. The second part has more and
 * larger samples than the first, so it runs on fewer rows at a time.
 */
export function splitNetwork(network: RowNetwork): RowNetwork[] {
  const { input, nodes, output } = network;
  const at = nodes.findIndex(({ kind }) => kind === 'upscale');
  const [first, second] = [nodes.slice(0, at), nodes.slice(at)];
  const passing = findPassing(first, second, input);
  const [tensor] = passing;
  const hasWork = second.some(({ kind }) => kind === 'window');
  if (at < 1 || !hasWork || passing.length !== 1 || tensor?.element !== 'float' || tensor === input) return [network];
  return [
    { input, nodes: first, output: tensor },
    { input: tensor, nodes: second, output },
  ];
}

/** The tensors of the first part that the second reads. */
function findPassing(first: RowNode[], second: RowNode[], input: RowTensor): RowTensor[] {
  const read = new Set(second.flatMap(({ inputs }) => inputs));
  return [input, ...first.map(({ output }) => output)].filter(({ name }) => read.has(name));
}
