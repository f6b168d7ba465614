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

/** Allowed elements, attributes, and URLs: GitHub's, with fewer schemes. */
const allowedMarkup: Options = {
  ...defaultSchema,
  protocols: { ...defaultSchema.protocols, href: ['http', 'https', 'mailto'] },
};

/** Prefix that keeps the IDs of headings apart from the page's own IDs. */
const headingPrefix = 'section-';

const renderer = unified()
  .use(remarkRehype)
  .use(rehypeSanitize, allowedMarkup)
  // Plugins after the sanitizer add only safe content.
  .use(adaptElements)
  .use(rehypeSlug, { prefix: headingPrefix })
  .use(rehypeStringify)
  .freeze();

/** Rendered Markdown. `html` is safe to show. `words`: number of words to read. */
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

/** Counts the words of paragraphs, headings, table cells, and code. */
function countWords(tree: MarkdownRoot): number {
  let words = 0;
  visit(tree, ['paragraph', 'heading', 'tableCell', 'code'], (node) => {
    for (const { isWordLike } of segmenter.segment(textOf(node))) if (isWordLike) words += 1;
  });
  return words;
}

/** Matches URLs that start with `//`, with or without a scheme. */
const externalUrl = /^(?:[a-z][a-z\d+.-]*:)?\/\//i;

/** Adapts the elements of rendered Markdown to the page that shows it. */
function adaptElements() {
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

/** Displayed width of images. Articles are at most 42rem wide, without their padding. */
const sizes = '(min-width: 45rem) 42rem, 100vw';

/** Makes images of the media library load in the size that a screen needs. Other images stay unchanged. */
function showImages(tree: Root, files: LibraryFiles): void {
  const [first] = tree.children;
  visit(tree, 'element', (element) => {
    if (element.tagName === 'img') showImage(element, files);
  });
  // Images in the first element are visible first, and lazy loading would wait for the layout.
  if (first) visit(first, 'element', ({ properties }) => void delete properties.loading);
}

function showImage(element: Element, files: LibraryFiles): void {
  const { src, title, alt } = element.properties;
  const file = files.get(findMediaId(String(src)) ?? '');
  if (file?.kind !== 'image') return;
  const { src: url, srcset: srcSet, width, height } = imageSourcesOf(file);
  // The feed's pattern expects `src`, `srcset`, and `sizes` first, in this order.
  element.properties = { src: url, srcSet, sizes, width, height, alt: alt || file.alt, ...(title ? { title } : {}) };
  element.properties.loading = 'lazy';
  element.properties.decoding = 'async';
}
