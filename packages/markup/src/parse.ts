import type { Root } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { type Processor, unified } from 'unified';
import { EXIT, visit } from 'unist-util-visit';
import { describeProblem, type MarkupRules } from './describe-problem.ts';
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
 * Returns the first reason why a text can't be published: HTML, footnotes, images, links with other schemes,
 * unknown placeholders, or nesting. A tree comes from `parseMarkdown`.
 */
export function findProblem(source: Root | string, rules: MarkupRules = {}): Problem | undefined {
  try {
    return checkTree(typeof source === 'string' ? parseMarkdown(source) : source, rules);
  } catch (error) {
    if (error instanceof MarkupError) return { message: error.message, line: error.line };
    throw error;
  }
}

function checkTree(tree: Root, rules: MarkupRules): Problem | undefined {
  const urls = listUrls(tree);
  let problem: Problem | undefined;
  visit(tree, (node) => {
    const message = describeProblem(node, { ...rules, urls });
    if (!message) return;
    problem = { message, line: node.position?.start.line ?? 1 };
    return EXIT;
  });
  return problem;
}

/** The URLs of definitions. The first one of an identifier counts. */
function listUrls(tree: Root): Map<string, string> {
  const urls = new Map<string, string>();
  visit(tree, 'definition', ({ identifier, url }) => {
    if (!urls.has(identifier)) urls.set(identifier, url);
  });
  return urls;
}
