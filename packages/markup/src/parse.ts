import { articleLimits } from '@uprez/contracts/policy/articles';
import { mediaIdOf } from '@uprez/contracts/texts/media';
import type { Nodes, Root } from 'mdast';
import type { CompileContext, Extension, Token } from 'mdast-util-from-markdown';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { type Processor, unified } from 'unified';
import { EXIT, visit } from 'unist-util-visit';
import { describeProblem, type MarkupRules } from './describe-problem.ts';
import type { LibraryFiles } from './library-files.ts';

/** Why a text can't be published, for its author. `line` counts from 1. */
type Problem = { message: string; line: number };

/** The error of a text that can't be published. Its message is public. */
export class MarkupError extends Error {
  readonly line: number;

  constructor({ message, line }: Problem) {
    super(message);
    this.name = 'MarkupError';
    this.line = line;
  }
}

/**
 * The most containers that the parser gets. Its time grows with the cube of the nesting: 1,000 lists take more than a
 * minute. Lists that are indented by 4 columns count twice in the estimate, so this is more than what texts may have.
 */
const parserNesting = 3 * articleLimits.nesting;

const tooDeep = (line: number) =>
  new MarkupError({
    message: `Lists, quotes, and formatting can't be nested more than ${articleLimits.nesting} levels deep. Simplify line ${line}.`,
    line,
  });

/** The most open brackets in a paragraph. The parser compares each closing one with all of them: 50,000 take 15 s. */
const openBrackets = 1_000;

const marker = /([ \t]*)(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))/y;
const thematicBreak = /^[ \t]*([-*])[ \t]*(?:\1[ \t]*){2,}$/;

/** Columns of whitespace, at most. */
const columnsOf = (space: string) => space.length + 3 * (space.split('\t').length - 1);

/**
 * Returns the most lists and quotes that can be open on a line: its markers, and a list for each 2 columns of indentation.
 * Counts until it exceeds what the parser gets.
 */
function estimateNesting(line: string): number {
  let [markers, columns] = [0, 0];
  marker.lastIndex = 0;
  for (let found = marker.exec(line); found && markers + columns / 2 <= parserNesting; found = marker.exec(line)) {
    // The space that follows a marker belongs to it.
    columns += columnsOf(markers === 0 ? (found[1] ?? '') : (found[1] ?? '').slice(1));
    markers += 1;
  }
  return markers === 0 ? 0 : markers + Math.floor(columns / 2);
}

/** Returns how many brackets are open after a line, of `open` before it. Infinite if they were too many within it. */
function countBrackets(line: string, open: number): number {
  let count = open;
  for (const [bracket] of line.matchAll(/[[\]]/g)) {
    count = Math.max(0, count + (bracket === '[' ? 1 : -1));
    if (count > openBrackets) return Number.POSITIVE_INFINITY;
  }
  return count;
}

/** Throws a `MarkupError` for a text with more nested lists, quotes, and brackets than the parser can handle in time. */
function requireParsable(text: string): void {
  let brackets = 0;
  for (const [index, line] of text.split(/\r\n?|\n/).entries()) {
    brackets = line.trim() === '' ? 0 : countBrackets(line, brackets);
    const isDeep = estimateNesting(line) > parserNesting && !thematicBreak.test(line);
    if (isDeep || brackets > openBrackets) throw tooDeep(index + 1);
  }
}

const nestable: ReadonlySet<string> = new Set(['blockquote', 'list', 'emphasis', 'strong', 'delete', 'link', 'image']);

function checkDepth(this: CompileContext, { start }: Token): undefined {
  if (this.stack.filter(({ type }) => nestable.has(type)).length > articleLimits.nesting) throw tooDeep(start.line);
}

/**
 * Limits the nesting of the tree while it is built, because everything that follows is recursive. The tokens are the first
 * ones inside of each node that can be nested.
 */
const nestingLimit: Extension = {
  enter: {
    blockQuotePrefix: checkDepth,
    listItemPrefix: checkDepth,
    emphasisText: checkDepth,
    strongText: checkDepth,
    strikethroughText: checkDepth,
    labelText: checkDepth,
  },
};

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
