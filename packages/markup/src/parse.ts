import { articleLimits } from '@uprez/contracts/policy/articles';
import { findMediaId } from '@uprez/contracts/policy/images/media';
import type { Nodes, Root } from 'mdast';
import type { CompileContext, Extension, Token } from 'mdast-util-from-markdown';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { type Processor, unified } from 'unified';
import { EXIT, visit } from 'unist-util-visit';
import { describeProblem, type LibraryFiles, type MarkupRules } from './describe-problem.ts';

/** `line` is 1-based. */
type Problem = { message: string; line: number };

/** The Markdown can't be published. The message is shown to clients. */
export class MarkupError extends Error {
  readonly line: number;

  constructor({ message, line }: Problem) {
    super(message);
    this.name = 'MarkupError';
    this.line = line;
  }
}

/**
 * The parser's time grows with the cube of the nesting: 1,000 nested lists take more than a minute. This limit is
 * higher than the one for articles, because the estimate counts lists that are indented by 4 columns twice.
 */
const parserNesting = 3 * articleLimits.nesting;

const tooDeep = (line: number) =>
  new MarkupError({
    message: `Lists, quotes, and formatting can't be nested more than ${articleLimits.nesting} levels deep. Simplify line ${line}.`,
    line,
  });

/**
 * Maximum number of open brackets in a paragraph. The parser compares each closing bracket with all open ones: 50,000
 * take 15 s.
 */
const openBrackets = 1_000;

const marker = /([ \t]*)(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))/y;
const thematicBreak = /^[ \t]*([-*])[ \t]*(?:\1[ \t]*){2,}$/;

/** Returns how many columns whitespace can span. A tab counts as 4. */
const columnsOf = (space: string) => space.length + 3 * (space.split('\t').length - 1);

/**
 * Returns an upper bound on how many lists and quotes are nested on a line. Counts one for each marker, and one for
 * every 2 columns of indentation. Stops counting above the parser's limit.
 */
function estimateNesting(line: string): number {
  let [markers, columns] = [0, 0];
  marker.lastIndex = 0;
  for (let found = marker.exec(line); found && markers + columns / 2 <= parserNesting; found = marker.exec(line)) {
    // The first space after a marker belongs to the marker and isn't indentation.
    columns += columnsOf(markers === 0 ? (found[1] ?? '') : (found[1] ?? '').slice(1));
    markers += 1;
  }
  return markers === 0 ? 0 : markers + Math.floor(columns / 2);
}

/**
 * Returns how many brackets are open after a line. `open` is how many were open before it. Returns infinity if the line
 * exceeds the limit.
 */
function countBrackets(line: string, open: number): number {
  let count = open;
  for (const [bracket] of line.matchAll(/[[\]]/g)) {
    count = Math.max(0, count + (bracket === '[' ? 1 : -1));
    if (count > openBrackets) return Number.POSITIVE_INFINITY;
  }
  return count;
}

/** Throws a `MarkupError` if lists, quotes, or brackets are nested so deeply that parsing would take too long. */
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
 * Limits the nesting while the tree is being built, because all later code is recursive. Each of these tokens is the
 * first one inside a nestable node.
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
 * Parses Markdown (CommonMark and GFM). The depth of the tree is limited, so recursive functions may walk it. Throws a
 * `MarkupError` if the nesting is too deep.
 */
export function parseMarkdown(text: string): Root {
  requireParsable(text);
  return parser.parse(text);
}

/**
 * Returns the first reason why Markdown can't be published. Reports HTML, footnotes, images and files that aren't in
 * the media library, links with unsupported schemes, unknown placeholders, and nesting that is too deep. `source` is
 * Markdown or a tree from `parseMarkdown`.
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
 * Returns the first reference to a file that isn't in the media library, or to a document as an image. Ignores all
 * other problems, because drafts can have them until they are published. Returns undefined if the nesting is too deep.
 */
export function findFileProblem(text: string, files: LibraryFiles): Problem | undefined {
  try {
    return checkTree(parseMarkdown(text), { files }, (url) => findMediaId(url) !== undefined);
  } catch (error) {
    if (error instanceof MarkupError) return undefined;
    throw error;
  }
}

/** `isChecked` decides by its URL whether to check a node. Without it, all nodes are checked. */
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

/** If an identifier is defined twice, the first definition counts. */
function listUrls(tree: Root): Map<string, string> {
  const urls = new Map<string, string>();
  visit(tree, 'definition', ({ identifier, url }) => {
    if (!urls.has(identifier)) urls.set(identifier, url);
  });
  return urls;
}
