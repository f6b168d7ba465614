import { createHash } from 'node:crypto';
import { formatNames } from '@uprez/contracts/policy/image-formats';
import type { Receipt } from '@uprez/contracts/schemas/receipt';
import { formatCount, pluralize } from '@uprez/contracts/texts/format';
import { bytes, caption, size } from '../caption.ts';
import type { Comparison } from './compare-images.ts';
import { pageScript, pageStyle } from './page-assets.ts';

type PageFacts = { name: string; receipt: Receipt; comparison: Comparison };

type Html = { html: string };
type Part = string | number | Html | readonly Html[];

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => entities[sign] as string);

function render(part: Part): string {
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part));
  return 'html' in part ? part.html : part.map(({ html }) => html).join('');
}

/** Make HTML from a template. Values other than HTML are escaped. */
const html = (texts: TemplateStringsArray, ...parts: Part[]): Html => ({
  html: texts.reduce((whole, text, i) => whole + render(parts[i - 1] ?? '') + text),
});

/** Mark our own styles and scripts as HTML. */
const trusted = (text: string): Html => ({ html: text });

const mark = html`<svg viewBox="0 0 24 24" fill="currentColor" aria-hidden="true"><path d="M3 3h8v8H3z"/><path d="M13 3a8 8 0 0 1 8 8h-8z"/><path d="M13 13h8v8h-8z"/><path d="M3 13h8v8H3z"/></svg>`;
const arrows = html`<svg viewBox="0 0 20 20" fill="none" stroke="currentColor" stroke-width="1.5" aria-hidden="true"><path d="M7 5l-5 5 5 5M13 5l5 5-5 5"/></svg>`;
/** Narrower images are shown without interpolation. */
const coarseWidth = 480;

const policy = `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-${createHash('sha256').update(pageScript).digest('base64')}'`;

export function makePage({ name, receipt, comparison }: PageFacts): string {
  const ms = Object.values(receipt.stagesMs).reduce((sum, stage) => sum + stage, 0);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${name} · Uprez</title>
<style>${trusted(pageStyle)}</style>
</head>
<body>
<header>
<div class="brand">${mark}Uprez</div>
<h1>${name}</h1>
<p class="note">${caption({ before: receipt.source, after: receipt, ms, engine: receipt.engine })}</p>
</header>
<main>
${slider(receipt, comparison)}
${difference(comparison)}
${details(comparison)}
<section>
<h2>Receipt</h2>
<dl>
${receiptRows(receipt)}</dl>
</section>
</main>
<script>${trusted(pageScript)}</script>
</body>
</html>
`;
  return page.html;
}

function slider(receipt: Receipt, { before, after, isTransparent }: Comparison): Html {
  const { width, height } = after;
  const looks = `image${width < coarseWidth ? ' coarse' : ''}`;
  const sides = html`width="${width}" height="${height}"`;
  const reduced = width < receipt.width ? ` Both are shown at ${size(after)}.` : '';
  return html`<section aria-label="Before and after">
<div class="stage">
<div class="compare shaped${isTransparent ? ' checked' : ''}" style="--ratio: ${(width / height).toFixed(4)}">
<img class="${looks} before" ${sides} src="${before.uri}" alt="The original, upscaled with standard resampling">
<img class="${looks} after" ${sides} src="${after.uri}" alt="The result">
<span class="label left">Original<span> · ${size(receipt.source)} · ${bytes(receipt.source)}</span></span>
<span class="label right">Result<span> · ${size(receipt)} · ${bytes(receipt)}</span></span>
<div class="border"><div class="handle">${arrows}</div></div>
<input type="range" min="0" max="100" step="1" value="50" aria-label="Divider between original and result">
</div>
</div>
<p class="note">Drag across the image, or use the arrow keys. The original is upscaled to the size of the result with standard resampling.${reduced}</p>
</section>`;
}

function difference({ difference: { gain, mean, ...shown }, isTransparent }: Comparison): Html {
  const looks = `image shaped${shown.width < coarseWidth ? ' coarse' : ''}`;
  return html`<section>
<h2>What changed</h2>
<div class="stage"><img class="${looks}" style="--ratio: ${(shown.width / shown.height).toFixed(4)}" width="${shown.width}" height="${shown.height}" src="${shown.uri}" alt="Absolute difference between the result and the original upscaled with standard resampling"></div>
<div class="legend"><div class="ramp"></div><div class="ends"><span>no difference</span><span>${Math.ceil(255 / gain)} of 255 levels or more</span></div></div>
<p class="note">The absolute difference between the result and the original upscaled with standard resampling. Each channel is amplified ${gain}x. The average difference is ${mean.toFixed(2)} of 255 levels.${isTransparent ? ' Transparent parts are compared on white.' : ''}</p>
</section>`;
}

function details({ crops }: Comparison): Html {
  const figure = (uri: string, text: string, { width, height }: { width: number; height: number }) =>
    html`<figure><img class="stage" width="${width}" height="${height}" src="${uri}" alt="${text}"><figcaption>${text}</figcaption></figure>`;
  return html`<section>
<h2>Details at 100%</h2>
<p class="note">The areas where the original has the most detail. 1 pixel of the result is 1 pixel here.</p>
<div class="crops">
${crops.map(
  ({ region, before, after }) => html`<div class="crop">
${figure(before.uri, 'Original, standard resampling', region)}
${figure(after.uri, 'Result', region)}
<p class="note">${size(region)} pixels, ${formatCount(region.left)} from the left and ${formatCount(region.top)} from the top.</p>
</div>
`,
)}</div>
</section>`;
}

const row = (name: string, value: Part) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`;

/** Rows of a table for a receipt, without values that do not apply. */
function receiptRows(receipt: Receipt): Html[] {
  const { engine, device, source, fidelity } = receipt;
  const { mean, worst } = receipt.colorDifference;
  const differences = `${mean.toFixed(1)} average, ${worst.toFixed(1)} maximum (1 is just visible)`;
  const retries = receipt.retries.map((retry) =>
    [retry.engine, retry.variant, retry.reason].filter(Boolean).join(', '),
  );
  const versions = Object.entries(receipt.versions).map(([name, version]) => `${name} ${version}`);
  return [
    row('Engine', [engine, receipt.autoChoice?.reason].filter(Boolean).join(': ')),
    ...networkRows(receipt),
    row('Device', device),
    row('Source', html`${size(source)}, ${bytes(source)}<br><code>${source.sha256}</code>`),
    row('Result', html`${describeResult(receipt)}<br><code>${receipt.sha256}</code>`),
    ...(fidelity
      ? [row('Fidelity', `${fidelity.score.toFixed(1)} of 100 (SSIM ${fidelity.structure.toFixed(3)})`)]
      : []),
    row('Color difference (CIEDE2000)', differences),
    row('Time', html`<div class="stages">${stageBars(receipt)}</div>`),
    ...listRow('Discarded attempts', retries),
    ...listRow('Notes', receipt.notes),
    row('Versions', versions.join(', ')),
  ];
}

function networkRows(receipt: Receipt): Html[] {
  const { variant, variantReason, model, passes, tiles, strips } = receipt;
  if (!variant && !model && tiles + strips === 0) return [row('Model', 'none')];
  return [
    ...(variant ? [row('Precision', [variant, variantReason].filter(Boolean).join(': '))] : []),
    ...(model ? [row('Model', html`<code>${model}</code>`)] : []),
    row('Work', `${pluralize(passes, 'pass', 'passes')} of 4x, ${describeSteps(receipt)}`),
  ];
}

function describeSteps({ tiles, tile, strips, bands, strip }: Receipt): string {
  if (strip) return `${pluralize(strips, 'strip')} of ${strip.rows} rows${bands > 1 ? ` in ${bands} bands` : ''}`;
  const each = tile ? ` of ${tile.core} x ${tile.core} pixels and ${tile.overlap} of overlap` : '';
  return `${pluralize(tiles, 'tile')}${each}`;
}

function describeResult(receipt: Receipt): string {
  const { format, bitDepth, quality, frames } = receipt;
  const facts = [
    size(receipt),
    bytes(receipt),
    formatNames[format],
    `${bitDepth} bits`,
    ...(quality === null ? [] : [`quality ${quality}`]),
    ...(frames > 1 ? [`${formatCount(frames)} frames`] : []),
  ];
  return facts.join(', ');
}

function stageBars({ stagesMs }: Receipt): Html[] {
  const entries = Object.entries(stagesMs);
  const total = entries.reduce((sum, [, ms]) => sum + ms, 0);
  const bar = (share: number) =>
    html`<svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${(100 * share).toFixed(1)}" height="1" fill="currentColor"/></svg>`;
  const line = ([name, ms]: [string, number]) =>
    html`<span>${name}</span><span>${formatCount(Math.round(ms))} ms</span>${bar(total > 0 ? ms / total : 0)}`;
  return [...entries.map(line), html`<span>total</span><span>${formatCount(Math.round(total))} ms</span><span></span>`];
}

function listRow(name: string, texts: readonly string[]): Html[] {
  if (texts.length === 0) return [];
  return [row(name, html`<ul>${texts.map((text) => html`<li>${text}</li>`)}</ul>`)];
}
