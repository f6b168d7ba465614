import { Node } from '@tiptap/core';
import { mediaIdOf, mediaPath } from '@uprez/contracts/texts/media';

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
  const id = mediaIdOf(path.split('/', 3).join('/'));
  return id && mediaPath(id);
}
