import { mediaIdOf } from '@uprez/contracts/texts/media';
import type { Nodes, Root } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { type Processor, unified } from 'unified';
import { EXIT, visit } from 'unist-util-visit';
import { describeProblem, type MarkupRules } from './describe-problem.ts';
import type { LibraryFiles } from './library-files.ts';
import { MarkupError, type Problem } from './markup-error.ts';
import { nestingLimit, requireParsable } from './nesting.ts';

function limitNesting(this: Processor): void {
  const data = this.data();
  data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), nestingLimit];
}

const parser = unified().use(remarkParse).use(remarkGfm).use(limitNesting).freeze();

/**
 * Returns the tree of a Markdown text (CommonMark and GFM). Its depth is limited, so recursive functions may walk it.
 * Throws a `MarkupError` for a text that is nested too deeply.
 */
export function parseMarkdown(text: string): Root {
  requireParsable(text);
  return parser.parse(text);
}

/**
 * Returns the first reason why a text can't be published: HTML, footnotes, images and files that aren't in the
 * media library, links with other schemes, unknown placeholders, or nesting. A tree comes from `parseMarkdown`.
 */
export function findProblem(source: Root | string, rules: MarkupRules = {}): Problem | undefined {
  try {
    return checkTree(typeof source === 'string' ? parseMarkdown(source) : source, rules);
  } catch (error) {
    if (error instanceof MarkupError) return { message: error.message, line: error.line };
    throw error;
  }
}

/**
 * Returns the first reference of a text to a file that the media library doesn't have, or to a document as an image. Texts may
 * have other problems until they are published. Undefined for a text that is nested too deeply.
 */
export function findFileProblem(text: string, files: LibraryFiles): Problem | undefined {
  try {
    return checkTree(parseMarkdown(text), { files }, (url) => mediaIdOf(url) !== undefined);
  } catch (error) {
    if (error instanceof MarkupError) return undefined;
    throw error;
  }
}

/** `isChecked`: whether a node is checked, by its URL. */
function checkTree(tree: Root, rules: MarkupRules, isChecked?: (url: string) => boolean): Problem | undefined {
  const urls = listUrls(tree);
  let problem: Problem | undefined;
  visit(tree, (node) => {
    if (isChecked && !isChecked(urlOf(node, urls))) return;
    const message = describeProblem(node, { ...rules, urls });
    if (!message) return;
    problem = { message, line: node.position?.start.line ?? 1 };
    return EXIT;
  });
  return problem;
}

const urlOf = (node: Nodes, urls: ReadonlyMap<string, string>): string => {
  if (node.type === 'imageReference') return urls.get(node.identifier) ?? '';
  return 'url' in node ? node.url : '';
};

/** The URLs of definitions. The first one of an identifier counts. */
function listUrls(tree: Root): Map<string, string> {
  const urls = new Map<string, string>();
  visit(tree, 'definition', ({ identifier, url }) => {
    if (!urls.has(identifier)) urls.set(identifier, url);
  });
  return urls;
}
