import type { Nodes } from 'mdast';
import { findUnknownPlaceholder } from './placeholders.ts';

/** What a text may contain. `allowsImage`: whether the image at a URL may be shown; by default none may. */
export type MarkupRules = { allowsImage?: (url: string) => boolean };

type Context = MarkupRules & {
  /** The URLs of the definitions, by identifier. */
  urls: ReadonlyMap<string, string>;
};

/** A URL without a scheme, or with one that the sanitizer keeps. It, too, compares the case of letters. */
const linkable = /^(?:[^:/?#]*(?:[/?#]|$)|(?:https?|mailto):)/;

/** Returns the sentence about a node that can't be published. Its author reads it. */
export function describeProblem(node: Nodes, { allowsImage = () => false, urls }: Context): string | undefined {
  const place = `on line ${node.position?.start.line ?? 1}.`;
  switch (node.type) {
    case 'html':
      return `HTML isn't supported. Remove the tag ${place}`;
    case 'footnoteDefinition':
    case 'footnoteReference':
      return `Footnotes aren't supported. Remove the footnote ${place}`;
    case 'image':
      return allowsImage(node.url) ? undefined : describeImage(place);
    case 'imageReference':
      return allowsImage(urls.get(node.identifier) ?? '') ? undefined : describeImage(place);
    case 'link':
    case 'definition':
      return linkable.test(node.url)
        ? undefined
        : `Links must start with https://, http://, or mailto:. Correct the link ${place}`;
    case 'text': {
      const unknown = findUnknownPlaceholder(node.value);
      return unknown && `${unknown} isn't a known value. Correct or remove it ${place}`;
    }
    default:
      return;
  }
}

const describeImage = (place: string) => `Images must be from the media library. Remove the image ${place}`;
