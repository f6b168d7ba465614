import { getSchema, Node } from '@tiptap/core';
import { Code } from '@tiptap/extension-code';
import { TaskItem, TaskList } from '@tiptap/extension-list';
import { Table, TableCell, TableHeader, TableRow } from '@tiptap/extension-table';
import StarterKit from '@tiptap/starter-kit';
import { findMediaId, mediaPath } from '@uprez/contracts/policy/images/media';

/** An inline image of the media library, as in Markdown. Images from other sites are dropped from pasted text. */
export const ImageNode = Node.create({
  name: 'image',
  ...{ group: 'inline', inline: true, atom: true, draggable: true },
  addAttributes: () => ({
    src: {
      default: '',
      parseHTML: (image) => findMediaPath(image.getAttribute('src') ?? '', window.location.origin) ?? '',
    },
    alt: { default: '', parseHTML: (image) => image.getAttribute('alt') ?? '' },
    title: { default: null },
  }),
  parseHTML: () => [
    {
      tag: 'img[src]',
      getAttrs: (image) =>
        findMediaPath(image.getAttribute('src') ?? '', window.location.origin) === undefined ? false : null,
    },
  ],
  renderHTML: ({ HTMLAttributes }) => ['img', HTMLAttributes],
});

/**
 * Returns the path of a pasted image of the media library as articles refer to it, whichever version was copied.
 * Undefined for other images.
 */
function findMediaPath(src: string, origin: string): string | undefined {
  const path = src.startsWith(`${origin}/`) ? src.slice(origin.length) : src;
  const id = findMediaId(path.split('/', 3).join('/'));
  return id && mediaPath(id);
}

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
