import type { Root } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkStringify from 'remark-stringify';
import { unified } from 'unified';
import { parseMarkdown } from './parse.ts';

const style = { bullet: '-', emphasis: '*', rule: '-', listItemIndent: 'one' } as const;
const printer = unified().use(remarkStringify, style).use(remarkGfm).freeze();

/** Formats a tree as Markdown. The same tree always gives the same output. */
export const printMarkdown = (tree: Root): string => printer.stringify(tree);

/** Whether two Markdown strings have the same tree. Throws a `MarkupError` if the nesting is too deep. */
export const sameMeaning = (a: string, b: string): boolean => a === b || describe(a) === describe(b);

const describe = (text: string) => JSON.stringify(simplify(parseMarkdown(text.trim())));

/** Fields that readers don't see: positions, blank lines in lists, and what follows the language of a code block. */
const ignoredFields: ReadonlySet<string> = new Set(['position', 'spread', 'data', 'meta']);

function simplify(value: unknown): unknown {
  if (Array.isArray(value)) return joinTexts(value.map(simplify));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([name, field]) => !ignoredFields.has(name) && field != null);
  return Object.fromEntries(
    fields.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, field]) => [name, simplify(field)]),
  );
}

type Text = { type: 'text'; value: string };
const isText = (node: unknown): node is Text =>
  typeof node === 'object' && node !== null && 'type' in node && node.type === 'text';

/** Joins adjacent text nodes, because an escape or an entity may split text into two nodes. */
function joinTexts(nodes: readonly unknown[]): unknown[] {
  const joined: unknown[] = [];
  for (const node of nodes) {
    const last = joined.at(-1);
    if (isText(node) && isText(last)) last.value += node.value;
    else joined.push(node);
  }
  return joined;
}
