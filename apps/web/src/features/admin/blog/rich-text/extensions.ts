import { getSchema } from '@tiptap/core';
import { Code } from '@tiptap/extension-code';
import { TaskItem, TaskList } from '@tiptap/extension-list';
import { Table, TableCell, TableHeader, TableRow } from '@tiptap/extension-table';
import StarterKit from '@tiptap/starter-kit';
import { ImageNode } from './image-node.ts';

/** Markdown cells have one line of text and can't be merged. Columns have an alignment. */
const cellAttributes = {
  align: {
    default: null,
    parseHTML: (cell: HTMLElement) => cell.style.textAlign || cell.getAttribute('align') || null,
    renderHTML: ({ align }: Record<string, unknown>) => (align ? { align } : {}),
  },
  colspan: { default: 1, parseHTML: () => 1 },
  rowspan: { default: 1, parseHTML: () => 1 },
  colwidth: { default: null, parseHTML: () => null },
};
const cellOptions = { content: 'paragraph', addAttributes: () => cellAttributes };

/** Extensions for exactly what Markdown can express. The post's title is edited separately. */
export const extensions = [
  StarterKit.configure({
    ...{ code: false, underline: false, trailingNode: false },
    link: { openOnClick: false, defaultProtocol: 'https', protocols: ['mailto'] },
  }),
  // Code may be bold, or the text of a link.
  Code.extend({ excludes: '' }),
  ImageNode,
  Table,
  TableRow,
  TableHeader.extend(cellOptions),
  TableCell.extend(cellOptions),
  TaskList,
  TaskItem.configure({ nested: true }),
];

export const schema = getSchema(extensions);
