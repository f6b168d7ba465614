import type { Mark, Node } from '@tiptap/pm/model';
import type { AlignType, BlockContent, Heading, ListItem, PhrasingContent, Root, TableCell, TableRow } from 'mdast';
import { type Format, type Run, toInline, trimRuns } from './inline-runs.ts';

const formats: Readonly<Record<string, (mark: Mark) => Format>> = {
  bold: () => ({ type: 'strong' }),
  italic: () => ({ type: 'emphasis' }),
  strike: () => ({ type: 'delete' }),
  link: ({ attrs }) => ({ type: 'link', url: String(attrs.href), title: attrs.title ?? null }),
};

function makePart({ type, text = '', marks, attrs }: Node): PhrasingContent {
  if (type.name === 'hardBreak') return { type: 'break' };
  if (type.name === 'image') return { type: 'image', url: String(attrs.src), alt: attrs.alt, title: attrs.title };
  const isCode = marks.some((mark) => mark.type.name === 'code');
  return { type: isCode ? 'inlineCode' : 'text', value: text };
}

function makeRun(node: Node): Run {
  const { marks } = node;
  return { node: makePart(node), formats: marks.flatMap((mark) => formats[mark.type.name]?.(mark) ?? []) };
}

/** The nodes of a line: of a paragraph, or of a heading. */
const printLine = (line: Node): PhrasingContent[] => toInline(trimRuns(line.children.map(makeRun)));

/** A cell has one line. Breaks that were pasted become spaces. */
function printCell(cell: Node): TableCell {
  const runs = cell.firstChild?.children.map(makeRun) ?? [];
  const inLine = runs.map(
    ({ node, ...run }): Run => ({
      ...run,
      node: node.type === 'break' ? { type: 'text', value: ' ' } : node,
    }),
  );
  return { type: 'tableCell', children: toInline(trimRuns(inLine)) };
}

const printRow = (row: Node): TableRow => ({ type: 'tableRow', children: row.children.map(printCell) });
const alignOf = (table: Node): AlignType[] => table.firstChild?.children.map(({ attrs }) => attrs.align ?? null) ?? [];

const printItem = (item: Node): ListItem => ({
  type: 'listItem',
  spread: false,
  ...(item.type.name === 'taskItem' && { checked: item.attrs.checked === true }),
  children: printBlocks(item),
});
const listOf = (list: Node, isOrdered = false): BlockContent => ({
  type: 'list',
  ordered: isOrdered,
  ...(isOrdered && { start: Number(list.attrs.start) }),
  spread: false,
  children: list.children.map(printItem),
});

const printers: Readonly<Record<string, (node: Node) => BlockContent>> = {
  paragraph: (node) => ({ type: 'paragraph', children: printLine(node) }),
  heading: (node) => ({ type: 'heading', depth: node.attrs.level as Heading['depth'], children: printLine(node) }),
  blockquote: (node) => ({ type: 'blockquote', children: printBlocks(node) }),
  horizontalRule: () => ({ type: 'thematicBreak' }),
  codeBlock: ({ attrs, textContent }) => ({ type: 'code', lang: attrs.language || null, value: textContent }),
  bulletList: (node) => listOf(node),
  orderedList: (node) => listOf(node, true),
  taskList: (node) => listOf(node),
  table: (node) => ({ type: 'table', align: alignOf(node), children: node.children.map(printRow) }),
};

const printBlocks = (parent: Node): BlockContent[] =>
  parent.children.map((node) => {
    const print = printers[node.type.name];
    if (!print) throw new Error(`Markdown has no node for ${node.type.name}.`);
    return print(node);
  });

/** Makes a tree of Markdown from a document of the editor. */
export const toTree = (document: Node): Root => ({ type: 'root', children: printBlocks(document) });
