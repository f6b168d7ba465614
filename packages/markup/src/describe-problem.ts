import { findMediaId, hasMediaVersion } from '@uprez/contracts/policy/images/media';
import type { Nodes } from 'mdast';
import { findUnknownPlaceholder } from './placeholders.ts';

/** An image in the media library. `alt` is the alternative text to use if the Markdown has none. */
type LibraryImage = { kind: 'image'; id: string; version: number; width: number; height: number; alt: string };
export type LibraryFile = LibraryImage | { kind: 'document' };
/** Files by their IDs in lowercase. */
export type LibraryFiles = ReadonlyMap<string, LibraryFile>;

/** `files`: media library files that the Markdown may refer to. Defaults to none. */
export type MarkupRules = { files?: LibraryFiles };

type Context = MarkupRules & {
  /** URLs of link definitions, by identifier. */
  urls: ReadonlyMap<string, string>;
};

/**
 * Matches URLs that have no scheme, or a scheme that the sanitizer keeps. Case-sensitive, because the sanitizer is,
 * too.
 */
const linkable = /^(?:[^:/?#]*(?:[/?#]|$)|(?:https?|mailto):)/;

/** Returns a sentence for the author that says why a node can't be published. Returns undefined if it can. */
export function describeProblem(node: Nodes, { files = new Map(), urls }: Context): string | undefined {
  const place = `on line ${node.position?.start.line ?? 1}.`;
  switch (node.type) {
    case 'html':
      return `HTML isn't supported. Remove the tag ${place}`;
    case 'footnoteDefinition':
    case 'footnoteReference':
      return `Footnotes aren't supported. Remove the footnote ${place}`;
    case 'image':
      return describeImage(node.url, files, place);
    case 'imageReference':
      return describeImage(urls.get(node.identifier) ?? '', files, place);
    case 'link':
    case 'definition':
      return describeLink(node.url, files, place);
    case 'text': {
      const unknown = findUnknownPlaceholder(node.value);
      return unknown && `${unknown} isn't a known value. Correct or remove it ${place}`;
    }
    default:
      return;
  }
}

function describeImage(url: string, files: LibraryFiles, place: string): string | undefined {
  const id = findMediaId(url);
  if (id === undefined) return `Images must be from the media library. Remove the image ${place}`;
  const file = files.get(id);
  if (!file) return `The media library doesn't have this image. Replace or remove the image ${place}`;
  return file.kind === 'image' ? undefined : `Documents can't be shown as images. Link to the document ${place}`;
}

function describeLink(url: string, files: LibraryFiles, place: string): string | undefined {
  if (!linkable.test(url)) return `Links must start with https://, http://, or mailto:. Correct the link ${place}`;
  if (hasMediaVersion(url))
    return `Links to files of the media library can't have a version. Correct the link ${place}`;
  const id = findMediaId(url);
  if (id === undefined || files.has(id)) return undefined;
  return `The media library doesn't have this file. Correct or remove the link ${place}`;
}
