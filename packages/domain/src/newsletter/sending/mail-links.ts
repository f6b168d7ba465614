import { fillPlaceholders } from '@uprez/markup/placeholders';

const scheme = /^[a-z][a-z\d+.-]*:/i;

/**
 * Makes a URL absolute, because emails have no page that relative URLs could resolve against. `site`: the public URL
 * without a trailing slash.
 */
function toAbsolute(url: string, site: string): string {
  if (scheme.test(url)) return url;
  return url.startsWith('//') ? new URL(site).protocol + url : `${site}/${url.replace(/^\//, '')}`;
}

/**
 * Makes the links of rendered HTML absolute. Relies on the renderer escaping `<` in text and quotes in attributes.
 * Links to headings stay as they are.
 */
export const toMailHtml = (html: string, site: string): string =>
  html.replaceAll(/(?<=<a href=")[^"#][^"]*/g, (url) => toAbsolute(url, site));

/** Makes the links of a Markdown text absolute and fills its placeholders. */
export const toMailText = (text: string, site: string): string =>
  fillPlaceholders(text).replaceAll(/(?<=\]\(<?|^ {0,3}\[[^\]\n]+\]: *<?)\/[^\s)>]*/gm, (url) => toAbsolute(url, site));
