import type { Element, Root } from 'hast';
import { visit } from 'unist-util-visit';

/** Matches URLs that start with `//`, with or without a scheme. */
const externalUrl = /^(?:[a-z][a-z\d+.-]*:)?\/\//i;

/** Adapts the elements of rendered Markdown to the page that shows it. */
export function adaptElements() {
  return (tree: Root): void => visit(tree, 'element', adaptElement);
}

function adaptElement(element: Element): void {
  const { tagName, properties } = element;
  // The article's title is the page's `h1`.
  if (tagName === 'h1') element.tagName = 'h2';
  if (tagName === 'a' && externalUrl.test(String(properties.href ?? ''))) properties.rel = ['noopener', 'noreferrer'];
  // Checkboxes of task lists.
  if (tagName === 'input') properties.ariaLabel = properties.checked ? 'Done' : 'Not done';
}
