import { remarkProseMirror, toPmMark, toPmNode } from '@handlewithcare/remark-prosemirror';
import type { MarkType, Node, NodeType } from '@tiptap/pm/model';
import type { Code, Heading, Image, InlineCode, Link, List, ListItem, Root, Table, Text } from 'mdast';
import { unified } from 'unified';
import { schema } from './extensions.ts';

function nodeType(name: string): NodeType {
  const type = schema.nodes[name];
  if (!type) throw new Error(`The editor has no node ${name}.`);
  return type;
}

function markType(name: string): MarkType {
  const type = schema.marks[name];
  if (!type) throw new Error(`The editor has no mark ${name}.`);
  return type;
}

type State = { all: (node: List | ListItem | Table['children'][number]['children'][number]) => Node[] };

const isTaskList = ({ children }: List) => children.some(({ checked }) => typeof checked === 'boolean');

function makeList(list: List, _: unknown, state: State) {
  const items = state.all(list);
  if (isTaskList(list)) return nodeType('taskList').createAndFill(null, items);
  return list.ordered
    ? nodeType('orderedList').createAndFill({ start: list.start ?? 1 }, items)
    : nodeType('bulletList').createAndFill(null, items);
}

const makeItem = (item: ListItem, list: List, state: State) =>
  isTaskList(list)
    ? nodeType('taskItem').createAndFill({ checked: item.checked === true }, state.all(item))
    : nodeType('listItem').createAndFill(null, state.all(item));

/** The first row has the headers. */
function makeTable({ children, align }: Table, _: unknown, state: State) {
  const makeRow = ({ children: cells }: Table['children'][number], type: NodeType) =>
    nodeType('tableRow').create(
      null,
      cells.map((cell, column) =>
        type.create({ align: align?.[column] ?? null }, nodeType('paragraph').create(null, state.all(cell))),
      ),
    );
  return nodeType('table').create(
    null,
    children.map((row, index) => makeRow(row, index === 0 ? nodeType('tableHeader') : nodeType('tableCell'))),
  );
}

const handlers = {
  // Some texts are empty, which ProseMirror doesn't allow.
  text: ({ value }: Text) => (value === '' ? [] : schema.text(value)),
  paragraph: toPmNode(nodeType('paragraph')),
  heading: toPmNode(nodeType('heading'), ({ depth }: Heading) => ({ level: depth })),
  blockquote: toPmNode(nodeType('blockquote')),
  thematicBreak: toPmNode(nodeType('horizontalRule')),
  break: toPmNode(nodeType('hardBreak')),
  image: toPmNode(nodeType('image'), ({ url, alt, title }: Image) => ({
    ...{ src: url, alt: alt ?? '', title: title ?? null },
  })),
  code: ({ lang, value }: Code) =>
    nodeType('codeBlock').create({ language: lang ?? null }, value === '' ? [] : schema.text(value)),
  inlineCode: ({ value }: InlineCode) => schema.text(value, [markType('code').create()]),
  list: makeList,
  listItem: makeItem,
  table: makeTable,
  emphasis: toPmMark(markType('italic')),
  strong: toPmMark(markType('bold')),
  delete: toPmMark(markType('strike')),
  link: toPmMark(markType('link'), ({ url, title }: Link) => ({ href: url, title: title ?? null })),
};
const compiler = unified()
  .use(remarkProseMirror, { schema, handlers } as never)
  .freeze();

/** Makes a document of the editor from a tree. Throws if the tree has nodes that the editor doesn't know. */
export const toDocument = (tree: Root): Node => compiler.stringify(tree) as unknown as Node;
