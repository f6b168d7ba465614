/** Escapes a text for HTML, also in quoted attributes. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** A script with structured data (schema.org). It is data, so the content policy allows it. No text in it ends the script. */
export const describeAs = (facts: Record<string, unknown>): string => {
  const json = JSON.stringify({ '@context': 'https://schema.org', ...facts });
  const escaped = json.replaceAll(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `<script type="application/ld+json" ${pageTag}>${escaped}</script>`;
};

/** Marks a tag that is only about the page of this address. The app removes it when another page is opened. */
export const pageTag = 'data-page';

export const link = (path: string, label: string): string => `<a href="${escapeHtml(path)}">${escapeHtml(label)}</a>`;

/** The content of a page before the app has started, and without JavaScript. Empty parts are left out. */
export const servedMain = (parts: readonly (string | null)[]): string =>
  `<main data-served>\n${parts.filter(Boolean).join('\n')}\n</main>`;
