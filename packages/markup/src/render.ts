import { findMediaId, imageSourcesOf } from '@uprez/contracts/policy/images/media';
import type { Element, Root } from 'hast';
import type { Root as MarkdownRoot } from 'mdast';
import { toString as textOf } from 'mdast-util-to-string';
import rehypeSanitize, { defaultSchema, type Options } from 'rehype-sanitize';
import rehypeSlug from 'rehype-slug';
import rehypeStringify from 'rehype-stringify';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import type { LibraryFiles, MarkupRules } from './describe-problem.ts';
import { findProblem, MarkupError, parseMarkdown } from './parse.ts';
import { fillPlaceholders } from './placeholders.ts';

/** Allowed elements, attributes, and URL schemes: the same as on GitHub, but with fewer schemes for links. */
const allowedMarkup: Options = {
  ...defaultSchema,
  protocols: { ...defaultSchema.protocols, href: ['http', 'https', 'mailto'] },
};

/** Prefix for the IDs of headings. Prevents conflicts with the page's own IDs. */
const headingPrefix = 'section-';

const renderer = unified()
  .use(remarkRehype)
  .use(rehypeSanitize, allowedMarkup)
  // These plugins run after the sanitizer, because they add only safe content.
  .use(adaptElements)
  .use(rehypeSlug, { prefix: headingPrefix })
  .use(rehypeStringify)
  .freeze();

/** Rendered Markdown. `html` is sanitized. `words` is the word count, including tables and code. */
type RenderedMarkdown = { html: string; words: number };

/** Renders Markdown as HTML. Throws a `MarkupError` if it can't be published. Takes seconds for long articles. */
export function renderMarkdown(text: string, rules: MarkupRules = {}): RenderedMarkdown {
  const tree = parseMarkdown(text);
  const problem = findProblem(tree, rules);
  if (problem) throw new MarkupError(problem);
  visit(tree, 'text', (node) => {
    node.value = fillPlaceholders(node.value);
  });
  const page = renderer.runSync(tree);
  if (rules.files) showImages(page, rules.files);
  return { html: renderer.stringify(page), words: countWords(tree) };
}

const segmenter = new Intl.Segmenter('en-US', { granularity: 'word' });

function countWords(tree: MarkdownRoot): number {
  let words = 0;
  visit(tree, ['paragraph', 'heading', 'tableCell', 'code'], (node) => {
    for (const { isWordLike } of segmenter.segment(textOf(node))) if (isWordLike) words += 1;
  });
  return words;
}

const externalUrl = /^(?:[a-z][a-z\d+.-]*:)?\/\//i;

function adaptElements() {
  return (tree: Root): void => visit(tree, 'element', adaptElement);
}

function adaptElement(element: Element): void {
  const { tagName, properties } = element;
  // The page already has an `h1`, which is the article's title.
  if (tagName === 'h1') element.tagName = 'h2';
  if (tagName === 'a' && externalUrl.test(String(properties.href ?? ''))) properties.rel = ['noopener', 'noreferrer'];
  // Only task lists have checkboxes.
  if (tagName === 'input') properties.ariaLabel = properties.checked ? 'Done' : 'Not done';
}

/** Displayed width of images. Articles are at most 42rem wide, without their padding. */
const sizes = '(min-width: 45rem) 42rem, 100vw';

/**
 * Adds sources in several sizes to images from the media library, from which the browser chooses. Leaves other images
 * unchanged.
 */
function showImages(tree: Root, files: LibraryFiles): void {
  const [first] = tree.children;
  visit(tree, 'element', (element) => {
    if (element.tagName === 'img') showImage(element, files);
  });
  // The images in the first element are visible when the page opens. Lazy loading would delay them until after layout.
  if (first) visit(first, 'element', ({ properties }) => void delete properties.loading);
}

function showImage(element: Element, files: LibraryFiles): void {
  const { src, title, alt } = element.properties;
  const file = files.get(findMediaId(String(src)) ?? '');
  if (file?.kind !== 'image') return;
  const { src: url, srcset: srcSet, width, height } = imageSourcesOf(file);
  // The pattern with which the feed removes `srcset` expects `src`, `srcset`, and `sizes` first, in this order.
  element.properties = { src: url, srcSet, sizes, width, height, alt: alt || file.alt, ...(title ? { title } : {}) };
  element.properties.loading = 'lazy';
  element.properties.decoding = 'async';
}
