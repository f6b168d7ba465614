import { fillPlaceholders } from '@uprez/markup/placeholders';

const scheme = /^[a-z][a-z\d+.-]*:/i;

/** Emails have no page to which URLs are relative. `site`: the public URL without a slash at its end. */
function toAbsolute(url: string, site: string): string {
  if (scheme.test(url)) return url;
  return url.startsWith('//') ? new URL(site).protocol + url : `${site}/${url.replace(/^\//, '')}`;
}

/** Makes the links of rendered HTML absolute. The renderer escapes `<` in texts and quotes in attributes. Links to headings stay. */
export const toMailHtml = (html: string, site: string): string =>
  html.replaceAll(/(?<=<a href=")[^"#][^"]*/g, (url) => toAbsolute(url, site));

/** Makes the links of a Markdown text absolute, and fills its placeholders. */
export const toMailText = (text: string, site: string): string =>
  fillPlaceholders(text).replaceAll(/(?<=\]\(<?|^ {0,3}\[[^\]\n]+\]: *<?)\/[^\s)>]*/gm, (url) => toAbsolute(url, site));
