import type { Break, Delete, Emphasis, InlineCode, Link, PhrasingContent, Strong, Text } from 'mdast';

type Wrapper = Emphasis | Strong | Delete | Link;
/** Inline format: a Markdown node without its children. */
export type Format =
  | Omit<Emphasis, 'children'>
  | Omit<Strong, 'children'>
  | Omit<Delete, 'children'>
  | Omit<Link, 'children'>;
/** Part of a line and the formats that it has, in any order. */
export type Run = { node: Text | InlineCode | Break | PhrasingContent; formats: readonly Format[] };

/**
 * Nesting order for formats that span the same number of runs, outermost first. Matches how Markdown is parsed:
 * `***a***` is emphasis around strong text.
 */
const order: readonly Format['type'][] = ['link', 'emphasis', 'strong', 'delete'];

const isWrapper = (node: PhrasingContent): node is Wrapper => (order as readonly string[]).includes(node.type);
const keyOf = (format: Format) => (format.type === 'link' ? `link ${format.url} ${format.title ?? ''}` : format.type);
const hasFormat = ({ formats }: Run, key: string) => formats.some((format) => keyOf(format) === key);

function formatOf(node: Wrapper): Format {
  return node.type === 'link' ? { type: 'link', url: node.url, title: node.title ?? null } : { type: node.type };
}

/** Flattens the nodes of a line into runs. */
export function toRuns(nodes: readonly PhrasingContent[], formats: readonly Format[] = []): Run[] {
  return nodes.flatMap((node): Run[] => {
    if (!isWrapper(node)) return [{ node, formats }];
    const format = formatOf(node);
    const isNew = !formats.some((one) => keyOf(one) === keyOf(format));
    return toRuns(node.children, isNew ? [...formats, format] : formats);
  });
}

/**
 * Removes spaces and tabs from both ends of a line. Readers don't see them, and Markdown would print them as entities.
 */
export function trimRuns(runs: readonly Run[]): Run[] {
  const trimmed = trimStart(runs, /^[ \t]+/).reverse();
  return trimStart(trimmed, /[ \t]+$/).reverse();
}

/** Removes whatever matches `spaces` from the start of a line, including runs that become empty. */
function trimStart([first, ...others]: readonly Run[], spaces: RegExp): Run[] {
  if (first?.node.type !== 'text') return first ? [first, ...others] : [];
  const value = first.node.value.replace(spaces, '');
  return value === '' ? trimStart(others, spaces) : [{ ...first, node: { ...first.node, value } }, ...others];
}

function countRunsWithFormat(runs: readonly Run[], start: number, key: string): number {
  const end = runs.findIndex((run, index) => index >= start && !hasFormat(run, key));
  return (end === -1 ? runs.length : end) - start;
}

function findOutermost(runs: readonly Run[], start: number): { format: Format; length: number } | undefined {
  const candidates = (runs[start]?.formats ?? []).map((format) => ({
    format,
    length: countRunsWithFormat(runs, start, keyOf(format)),
  }));
  const rank = ({ format }: { format: Format }) => order.indexOf(format.type);
  return candidates.sort((one, other) => other.length - one.length || rank(one) - rank(other))[0];
}

/** Formats that span more runs enclose formats that span fewer, so equal runs always produce equal nodes. */
export function toInlineNodes(runs: readonly Run[]): PhrasingContent[] {
  const nodes: PhrasingContent[] = [];
  for (let start = 0; start < runs.length; ) {
    const outermost = findOutermost(runs, start);
    const run = runs[start];
    if (run && !outermost) nodes.push(run.node);
    if (outermost) {
      const key = keyOf(outermost.format);
      const inner = runs
        .slice(start, start + outermost.length)
        .map(({ node, formats }) => ({ node, formats: formats.filter((format) => keyOf(format) !== key) }));
      nodes.push({ ...outermost.format, children: toInlineNodes(inner) } as PhrasingContent);
    }
    start += outermost?.length ?? 1;
  }
  return nodes;
}
