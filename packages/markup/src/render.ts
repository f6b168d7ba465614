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

/** The elements, attributes, and URLs that texts may contain: GitHub's, with fewer schemes. */
const allowedMarkup: Options = {
  ...defaultSchema,
  protocols: { ...defaultSchema.protocols, href: ['http', 'https', 'mailto'] },
};

/** Keeps the IDs of headings apart from those of the page. */
const headingPrefix = 'section-';

const renderer = unified()
  .use(remarkRehype)
  .use(rehypeSanitize, allowedMarkup)
  // What follows adds only what is safe.
  .use(adaptElements)
  .use(rehypeSlug, { prefix: headingPrefix })
  .use(rehypeStringify)
  .freeze();

/** `html` is safe to show. `words` counts what is read. */
export type RenderedMarkdown = { html: string; words: number };

/** Renders a Markdown text as HTML. Throws a `MarkupError` if the text can't be published. Takes seconds for long texts. */
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

/** The words of paragraphs, headings, cells, and code. */
function countWords(tree: Root): number {
  let words = 0;
  visit(tree, ['paragraph', 'heading', 'tableCell', 'code'], (node) => {
    for (const { isWordLike } of segmenter.segment(textOf(node))) if (isWordLike) words += 1;
  });
  return words;
}
