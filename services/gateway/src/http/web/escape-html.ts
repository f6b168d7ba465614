/** Escapes a string for HTML, including quoted attributes. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/**
 * Returns a script tag with structured data (schema.org). It is data, so the content policy allows it. Its strings are
 * escaped so that they can't end the script.
 */
export const renderStructuredData = (facts: Record<string, unknown>): string => {
  const json = JSON.stringify({ '@context': 'https://schema.org', ...facts });
  const escaped = json.replaceAll(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `<script type="application/ld+json" ${pageTag}>${escaped}</script>`;
};

/** Attribute of tags that apply only to the current page. The app removes them when another page is opened. */
export const pageTag = 'data-page';

export const link = (path: string, label: string): string => `<a href="${escapeHtml(path)}">${escapeHtml(label)}</a>`;

/** Returns the content of a page before the app has started or without JavaScript. Empty parts are omitted. */
export const servedMain = (parts: readonly (string | null)[]): string =>
  `<main data-served>\n${parts.filter(Boolean).join('\n')}\n</main>`;
