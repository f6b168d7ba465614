import { formatNames } from '@uprez/contracts/policy/image-formats';
import type { Receipt } from '@uprez/contracts/schemas/receipt';
import { bytes, count, size } from '../caption.ts';

export type ReceiptRow = { name: string; value: Html };
const row = (name: string, value: Html | string): ReceiptRow => ({
  name,
  value: typeof value === 'string' ? html`${value}` : value,
});

/** Rows of a table for a receipt, without values that do not apply. */
export function receiptRows(receipt: Receipt): ReceiptRow[] {
  const { engine, device, source, colorDifference } = receipt;
  return [
    row('Engine', engine),
    ...networkRows(receipt),
    row('Device', device),
    row('Source', html`${size(source)}, ${bytes(source)}<br><code>${source.sha256}</code>`),
    row('Result', html`${describeResult(receipt)}<br><code>${receipt.sha256}</code>`),
    row(
      'Color difference',
      `mean ${colorDifference.mean.toFixed(2)}, worst cell ${colorDifference.worst.toFixed(2)} (CIEDE2000; 1 is just visible)`,
    ),
    row('Time', html`<div class="stages">${stageBars(receipt)}</div>`),
    ...listRow(
      'Discarded attempts',
      receipt.retries.map(({ engine, variant, reason }) => [engine, variant, reason].filter(Boolean).join(', ')),
    ),
    ...listRow('Notes', receipt.notes),
    row(
      'Versions',
      Object.entries(receipt.versions)
        .map(([name, version]) => `${name} ${version}`)
        .join(', '),
    ),
  ];
}

function networkRows({ variant, variantReason, model, passes, tiles, tile }: Receipt): ReceiptRow[] {
  if (!variant && !model && tiles === 0) return [row('Model', 'none')];
  const each = tile ? ` of ${tile.core} x ${tile.core} pixels and ${tile.overlap} of overlap` : '';
  return [
    ...(variant ? [row('Precision', [variant, variantReason].filter(Boolean).join(': '))] : []),
    ...(model ? [row('Model', html`<code>${model}</code>`)] : []),
    row(
      'Work',
      `${count(passes)} ${passes === 1 ? 'pass' : 'passes'} of 4x, ${count(tiles)} ${tiles === 1 ? 'tile' : 'tiles'}${each}`,
    ),
  ];
}

function describeResult(receipt: Receipt): string {
  const { format, bitDepth, quality, frames } = receipt;
  const facts = [
    size(receipt),
    bytes(receipt),
    formatNames[format],
    `${bitDepth} bits`,
    ...(quality === null ? [] : [`quality ${quality}`]),
    ...(frames > 1 ? [`${count(frames)} frames`] : []),
  ];
  return facts.join(', ');
}

function stageBars({ stagesMs }: Receipt): Html[] {
  const entries = Object.entries(stagesMs);
  const total = entries.reduce((sum, [, ms]) => sum + ms, 0);
  const bar = (share: number) =>
    html`<svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${(100 * share).toFixed(1)}" height="1" fill="currentColor"/></svg>`;
  const line = ([name, ms]: [string, number]) =>
    html`<span>${name}</span><span>${count(Math.round(ms))} ms</span>${bar(total > 0 ? ms / total : 0)}`;
  return [...entries.map(line), html`<span>total</span><span>${count(Math.round(total))} ms</span><span></span>`];
}

function listRow(name: string, texts: readonly string[]): ReceiptRow[] {
  if (texts.length === 0) return [];
  return [row(name, html`<ul>${texts.map((text) => html`<li>${text}</li>`)}</ul>`)];
}

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
