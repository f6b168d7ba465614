import type { Root } from 'mdast';
import { toString as textOf } from 'mdast-util-to-string';
import rehypeSanitize, { defaultSchema, type Options } from 'rehype-sanitize';
import rehypeSlug from 'rehype-slug';
import rehypeStringify from 'rehype-stringify';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { adaptElements } from './adapt-elements.ts';
import type { MarkupRules } from './describe-problem.ts';
import { findProblem, MarkupError, parseMarkdown } from './parse.ts';
import { fillPlaceholders } from './placeholders.ts';
import { showImages } from './show-images.ts';

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
export type RenderedMarkdown = { html: string; words: number };

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
function countWords(tree: Root): number {
  let words = 0;
  visit(tree, ['paragraph', 'heading', 'tableCell', 'code'], (node) => {
    for (const { isWordLike } of segmenter.segment(textOf(node))) if (isWordLike) words += 1;
  });
  return words;
}
