import type { Element, Root } from 'hast';
import { visit } from 'unist-util-visit';

/** A URL with a scheme, or one that names a host. */
const external = /^(?:[a-z][a-z\d+.-]*:)?\/\//i;

/** Adapts the elements of a text to the page that shows it. */
export function adaptElements() {
  return (tree: Root): void => visit(tree, 'element', adaptElement);
}

function adaptElement(element: Element): void {
  const { tagName, properties } = element;
  // The title of the article is the heading of the page.
  if (tagName === 'h1') element.tagName = 'h2';
  if (tagName === 'a' && external.test(String(properties.href ?? ''))) properties.rel = ['noopener', 'noreferrer'];
  // The boxes of task lists.
  if (tagName === 'input') properties.ariaLabel = properties.checked ? 'Done' : 'Not done';
}
