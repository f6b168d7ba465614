import { getSchema, Node } from '@tiptap/core';
import { Code } from '@tiptap/extension-code';
import { TaskItem, TaskList } from '@tiptap/extension-list';
import { Table, TableCell, TableHeader, TableRow } from '@tiptap/extension-table';
import StarterKit from '@tiptap/starter-kit';
import { findMediaId, mediaPath } from '@uprez/contracts/policy/images/media';

/** Inline image from the media library. Images from other sites are dropped when text is pasted. */
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
 * Returns the path that articles use for an image in the media library, whichever version of the image was pasted.
 * Undefined for other images.
 */
function findMediaPath(src: string, origin: string): string | undefined {
  const path = src.startsWith(`${origin}/`) ? src.slice(origin.length) : src;
  const id = findMediaId(path.split('/', 3).join('/'));
  return id && mediaPath(id);
}

/** Table cells in Markdown contain one line of text and can't be merged. Columns have an alignment. */
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

/** Extensions for exactly what Markdown can express. */
export const extensions = [
  StarterKit.configure({
    ...{ code: false, underline: false, trailingNode: false },
    link: { openOnClick: false, defaultProtocol: 'https', protocols: ['mailto'] },
  }),
  // Inline code can also be bold or part of a link.
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
