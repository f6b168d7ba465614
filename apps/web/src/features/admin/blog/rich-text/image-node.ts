import { Node } from '@tiptap/core';
import { mediaIdOf, mediaPath } from '@uprez/contracts/texts/media';

/** An image of the media library, in a line of text as in Markdown. Images of other sites are dropped from pasted text. */
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

/** How texts refer to a pasted image of the media library, in whichever version it was copied. Undefined for others. */
function findMediaPath(src: string, origin: string): string | undefined {
  const path = src.startsWith(`${origin}/`) ? src.slice(origin.length) : src;
  const id = mediaIdOf(path.split('/', 3).join('/'));
  return id && mediaPath(id);
}
