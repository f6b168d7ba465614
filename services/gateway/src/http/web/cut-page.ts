/** A built page, cut where the gateway adds to it, and its title and description as they were built. */
export type PageParts = { before: string; built: string; middle: string; after: string };

const ownTags = /<title>[\s\S]*?<\/title>\s*|<meta\s+name="description"[^>]*>\s*/g;
const root = '<div id="root">';

/**
 * Cuts a built page at its title and at the start of its root, and takes its title and description out. Throws if it has
 * no title or no root.
 */
export function cutPage(html: string): PageParts {
  const titleAt = html.indexOf('<title>');
  if (titleAt < 0) throw new Error('The built page has no title.');
  const rootAt = html.indexOf(root, titleAt);
  if (rootAt < 0) throw new Error('The built page has no root.');
  const strip = (text: string) => text.replaceAll(ownTags, '');
  const contentAt = rootAt + root.length;
  const built = (html.match(ownTags) ?? []).join('').trim();
  return {
    before: strip(html.slice(0, titleAt)),
    built,
    middle: strip(html.slice(titleAt, contentAt)),
    after: html.slice(contentAt),
  };
}

/** Joins instead of replacing: `$&` in a title is a pattern for `replace`. `body`: the first content of the root. */
export const joinPage = ({ before, middle, after }: PageParts, head: string, body = ''): string =>
  `${before}${head}\n${middle}${body}${after}`;
