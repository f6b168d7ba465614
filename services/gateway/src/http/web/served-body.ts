import { escapeHtml } from './escape-html.ts';

export const link = (path: string, label: string): string => `<a href="${escapeHtml(path)}">${escapeHtml(label)}</a>`;

/** The content of a page before the app has started, and without JavaScript. Empty parts are left out. */
export const servedMain = (parts: readonly (string | null)[]): string =>
  `<main data-served>\n${parts.filter(Boolean).join('\n')}\n</main>`;
