import { remarkProseMirror, toPmMark, toPmNode } from '@handlewithcare/remark-prosemirror';
import type { Mark, MarkType, Node, NodeType } from '@tiptap/pm/model';
import { findMediaId } from '@uprez/contracts/policy/images/media';
import { parseMarkdown } from '@uprez/markup/parse';
import { printMarkdown, sameMeaning } from '@uprez/markup/print';
import type {
  AlignType,
  BlockContent,
  Code,
  Heading,
  Image,
  InlineCode,
  Link,
  List,
  ListItem,
  Nodes,
  PhrasingContent,
  Root,
  Table,
  TableCell,
  TableRow,
  Text,
} from 'mdast';
import { unified } from 'unified';
import { schema } from './extensions.ts';
import { type Format, type Run, toInlineNodes, toRuns, trimRuns } from './inline-runs.ts';
import { blogTextMessages as text } from './messages.ts';

/** Document for the rich text editor, or the names of the content that the editor would lose. */
export type RichText = { document: Node } | { losses: readonly string[] };

/** Definitions are reported as references. */
const { losses } = text;
const isLossy = (type: string): type is keyof typeof losses => Object.hasOwn(losses, type);
const isKeptImage = (node: Nodes) => node.type === 'image' && findMediaId(node.url) !== undefined;

function* walk(node: Nodes): Generator<Nodes> {
  yield node;
  if ('children' in node) for (const child of node.children) yield* walk(child);
}

/**
 * Normalizes a tree to what readers see. Joins the lines of a paragraph, trims spaces, and nests formats in a fixed
 * order.
 */
function normalize(tree: Root): Root {
  for (const node of walk(tree)) {
    if (node.type === 'text') node.value = node.value.replace(/[ \t]*\n[ \t]*/g, ' ');
    if (node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableCell')
      node.children = toInlineNodes(trimRuns(toRuns(node.children)));
  }
  return tree;
}

const parse = (markdown: string) => normalize(parseMarkdown(markdown));

/**
 * Opens Markdown for the rich text editor. Returns the losses instead if the editor can't print the text with the same
 * meaning. Throws if the text is nested too deeply.
 */
export function openRichText(markdown: string): RichText {
  const tree = parse(markdown);
  const found = [...walk(tree)].flatMap((node) =>
    isLossy(node.type) && !isKeptImage(node) ? [losses[node.type]] : [],
  );
  if (found.length > 0) return { losses: [...new Set(found)] };
  try {
    const document = tree.children.length > 0 ? toDocument(tree) : emptyDocument;
    const printed = printMarkdown(parse(printRichText(document)));
    if (sameMeaning(printed, printMarkdown(tree))) return { document };
  } catch {
    // The editor's schema doesn't allow some nodes, such as a list without items.
  }
  return { losses: [text.otherLoss] };
}

const emptyDocument = schema.node('doc', null, [schema.node('paragraph')]);

/** Converts an editor document to Markdown. */
export const printRichText = (document: Node): string => printMarkdown(toTree(document));

const formats: Readonly<Record<string, (mark: Mark) => Format>> = {
  bold: () => ({ type: 'strong' }),
  italic: () => ({ type: 'emphasis' }),
  strike: () => ({ type: 'delete' }),
  link: ({ attrs }) => ({ type: 'link', url: String(attrs.href), title: attrs.title ?? null }),
};

function makeInlineNode({ type, text = '', marks, attrs }: Node): PhrasingContent {
  if (type.name === 'hardBreak') return { type: 'break' };
  if (type.name === 'image') return { type: 'image', url: String(attrs.src), alt: attrs.alt, title: attrs.title };
  const isCode = marks.some((mark) => mark.type.name === 'code');
  return { type: isCode ? 'inlineCode' : 'text', value: text };
}

function makeRun(node: Node): Run {
  const { marks } = node;
  return { node: makeInlineNode(node), formats: marks.flatMap((mark) => formats[mark.type.name]?.(mark) ?? []) };
}

const printLine = (line: Node): PhrasingContent[] => toInlineNodes(trimRuns(line.children.map(makeRun)));

/** Line breaks that were pasted become spaces. */
function printCell(cell: Node): TableCell {
  const runs = cell.firstChild?.children.map(makeRun) ?? [];
  const inLine = runs.map(
    ({ node, ...run }): Run => ({
      ...run,
      node: node.type === 'break' ? { type: 'text', value: ' ' } : node,
    }),
  );
  return { type: 'tableCell', children: toInlineNodes(trimRuns(inLine)) };
}

const printRow = (row: Node): TableRow => ({ type: 'tableRow', children: row.children.map(printCell) });
const columnAlignmentsOf = (table: Node): AlignType[] =>
  table.firstChild?.children.map(({ attrs }) => attrs.align ?? null) ?? [];

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
  table: (node) => ({ type: 'table', align: columnAlignmentsOf(node), children: node.children.map(printRow) }),
};

const printBlocks = (parent: Node): BlockContent[] =>
  parent.children.map((node) => {
    const print = printers[node.type.name];
    if (!print) throw new Error(`Markdown has no node for ${node.type.name}.`);
    return print(node);
  });

const toTree = (document: Node): Root => ({ type: 'root', children: printBlocks(document) });

function getNodeType(name: string): NodeType {
  const type = schema.nodes[name];
  if (!type) throw new Error(`The editor has no node ${name}.`);
  return type;
}

function getMarkType(name: string): MarkType {
  const type = schema.marks[name];
  if (!type) throw new Error(`The editor has no mark ${name}.`);
  return type;
}

type CompilerState = { all: (node: List | ListItem | Table['children'][number]['children'][number]) => Node[] };

const isTaskList = ({ children }: List) => children.some(({ checked }) => typeof checked === 'boolean');

function makeList(list: List, _: unknown, state: CompilerState) {
  const items = state.all(list);
  if (isTaskList(list)) return getNodeType('taskList').createAndFill(null, items);
  return list.ordered
    ? getNodeType('orderedList').createAndFill({ start: list.start ?? 1 }, items)
    : getNodeType('bulletList').createAndFill(null, items);
}

const makeItem = (item: ListItem, list: List, state: CompilerState) =>
  isTaskList(list)
    ? getNodeType('taskItem').createAndFill({ checked: item.checked === true }, state.all(item))
    : getNodeType('listItem').createAndFill(null, state.all(item));

/** The first row contains the column headers. */
function makeTable({ children, align }: Table, _: unknown, state: CompilerState) {
  const makeRow = ({ children: cells }: Table['children'][number], type: NodeType) =>
    getNodeType('tableRow').create(
      null,
      cells.map((cell, column) =>
        type.create({ align: align?.[column] ?? null }, getNodeType('paragraph').create(null, state.all(cell))),
      ),
    );
  return getNodeType('table').create(
    null,
    children.map((row, index) => makeRow(row, index === 0 ? getNodeType('tableHeader') : getNodeType('tableCell'))),
  );
}

const handlers = {
  // Skips empty text nodes, because ProseMirror doesn't allow them.
  text: ({ value }: Text) => (value === '' ? [] : schema.text(value)),
  paragraph: toPmNode(getNodeType('paragraph')),
  heading: toPmNode(getNodeType('heading'), ({ depth }: Heading) => ({ level: depth })),
  blockquote: toPmNode(getNodeType('blockquote')),
  thematicBreak: toPmNode(getNodeType('horizontalRule')),
  break: toPmNode(getNodeType('hardBreak')),
  image: toPmNode(getNodeType('image'), ({ url, alt, title }: Image) => ({
    ...{ src: url, alt: alt ?? '', title: title ?? null },
  })),
  code: ({ lang, value }: Code) =>
    getNodeType('codeBlock').create({ language: lang ?? null }, value === '' ? [] : schema.text(value)),
  inlineCode: ({ value }: InlineCode) => schema.text(value, [getMarkType('code').create()]),
  list: makeList,
  listItem: makeItem,
  table: makeTable,
  emphasis: toPmMark(getMarkType('italic')),
  strong: toPmMark(getMarkType('bold')),
  delete: toPmMark(getMarkType('strike')),
  link: toPmMark(getMarkType('link'), ({ url, title }: Link) => ({ href: url, title: title ?? null })),
};
const compiler = unified()
  .use(remarkProseMirror, { schema, handlers } as never)
  .freeze();

/** Throws if the tree contains nodes that the editor doesn't support. */
const toDocument = (tree: Root): Node => compiler.stringify(tree) as unknown as Node;
