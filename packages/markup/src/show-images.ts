import { imageSourcesOf, mediaIdOf } from '@uprez/contracts/texts/media';
import type { Element, Root } from 'hast';
import { visit } from 'unist-util-visit';
import type { LibraryFiles } from './library-files.ts';

/** Articles are at most 42rem wide, without their padding. */
const sizes = '(min-width: 45rem) 42rem, 100vw';

/** Makes images of the media library load in the size that a screen needs. Others stay as they are. */
export function showImages(tree: Root, files: LibraryFiles): void {
  const [first] = tree.children;
  visit(tree, 'element', (element) => {
    if (element.tagName === 'img') showImage(element, files);
  });
  // What readers see first must not wait for the layout.
  if (first) visit(first, 'element', ({ properties }) => void delete properties.loading);
}

function showImage(element: Element, files: LibraryFiles): void {
  const { src, title, alt } = element.properties;
  const file = files.get(mediaIdOf(String(src)) ?? '');
  if (file?.kind !== 'image') return;
  const { src: url, srcset: srcSet, width, height } = imageSourcesOf(file);
  // Feeds look for the URL first.
  element.properties = { src: url, srcSet, sizes, width, height, alt: alt || file.alt, ...(title ? { title } : {}) };
  element.properties.loading = 'lazy';
  element.properties.decoding = 'async';
}
