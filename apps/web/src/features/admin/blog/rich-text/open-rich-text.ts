import type { Node } from '@tiptap/pm/model';
import { mediaIdOf } from '@uprez/contracts/texts/media';
import { parseMarkdown } from '@uprez/markup/parse';
import { printMarkdown, sameMeaning } from '@uprez/markup/print';
import type { Nodes, Root } from 'mdast';
import { schema } from './extensions.ts';
import { toDocument } from './from-markdown.ts';
import { toInline, toRuns, trimRuns } from './inline-runs.ts';
import { blogTextMessages as text } from './messages.ts';
import { toTree } from './to-markdown.ts';

/** A text as the rich editor shows it, or the names of what it would lose. */
export type RichText = { document: Node } | { losses: readonly string[] };

/** What the editor has no nodes for. Definitions are part of references. */
const { losses } = text;
const isLossy = (type: string): type is keyof typeof losses => Object.hasOwn(losses, type);
const isKept = (node: Nodes) => node.type === 'image' && mediaIdOf(node.url) !== undefined;

function* walk(node: Nodes): Generator<Nodes> {
  yield node;
  if ('children' in node) for (const child of node.children) yield* walk(child);
}

/**
 * A tree with what readers see of it: lines that continue on the next one are joined, and nested formats are in a fixed order.
 */
function normalize(tree: Root): Root {
  for (const node of walk(tree)) {
    if (node.type === 'text') node.value = node.value.replace(/[ \t]*\n[ \t]*/g, ' ');
    if (node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableCell')
      node.children = toInline(trimRuns(toRuns(node.children)));
  }
  return tree;
}

const parse = (markdown: string) => normalize(parseMarkdown(markdown));

/** Opens a text for the rich editor, if the editor prints it with the same meaning. Throws for too deep nesting. */
export function openRichText(markdown: string): RichText {
  const tree = parse(markdown);
  const found = [...walk(tree)].flatMap((node) => (isLossy(node.type) && !isKept(node) ? [losses[node.type]] : []));
  if (found.length > 0) return { losses: [...new Set(found)] };
  try {
    const document = tree.children.length > 0 ? toDocument(tree) : emptyDocument;
    const printed = printMarkdown(parse(printRichText(document)));
    if (sameMeaning(printed, printMarkdown(tree))) return { document };
  } catch {
    // The editor has no place for some nodes, such as a list without items.
  }
  return { losses: [text.otherLoss] };
}

const emptyDocument = schema.node('doc', null, [schema.node('paragraph')]);

/** The Markdown of a document of the editor. */
export const printRichText = (document: Node): string => printMarkdown(toTree(document));
