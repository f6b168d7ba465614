import { imageSourcesOf, mediaIdOf } from '@uprez/contracts/texts/media';
import type { Element, Root } from 'hast';
import { visit } from 'unist-util-visit';
import type { LibraryFiles } from './library-files.ts';

/** Displayed width of images. Articles are at most 42rem wide, without their padding. */
const sizes = '(min-width: 45rem) 42rem, 100vw';

/** Makes images of the media library load in the size that a screen needs. Other images stay unchanged. */
export function showImages(tree: Root, files: LibraryFiles): void {
  const [first] = tree.children;
  visit(tree, 'element', (element) => {
    if (element.tagName === 'img') showImage(element, files);
  });
  // Images in the first element are visible first, and lazy loading would wait for the layout.
  if (first) visit(first, 'element', ({ properties }) => void delete properties.loading);
}

function showImage(element: Element, files: LibraryFiles): void {
  const { src, title, alt } = element.properties;
  const file = files.get(mediaIdOf(String(src)) ?? '');
  if (file?.kind !== 'image') return;
  const { src: url, srcset: srcSet, width, height } = imageSourcesOf(file);
  // The feed's pattern expects `src`, `srcset`, and `sizes` first, in this order.
  element.properties = { src: url, srcSet, sizes, width, height, alt: alt || file.alt, ...(title ? { title } : {}) };
  element.properties.loading = 'lazy';
  element.properties.decoding = 'async';
}
