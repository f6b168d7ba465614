export type Html = { html: string };
type Part = string | number | Html | readonly Html[];

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => entities[sign] as string);

function render(part: Part): string {
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part));
  return 'html' in part ? part.html : part.map(({ html }) => html).join('');
}

/** Make HTML from a template. Values other than HTML are escaped. */
export const html = (texts: TemplateStringsArray, ...parts: Part[]): Html => ({
  html: texts.reduce((whole, text, i) => whole + render(parts[i - 1] ?? '') + text),
});

/** Mark our own styles and scripts as HTML. */
export const trusted = (text: string): Html => ({ html: text });
