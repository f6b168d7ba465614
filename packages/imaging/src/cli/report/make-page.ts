import { createHash } from 'node:crypto';
import { formatNames } from '@uprez/contracts/policy/images/image-formats';
import type { Receipt } from '@uprez/contracts/schemas/jobs/receipt';
import { formatCount, pluralize } from '@uprez/contracts/texts/format';
import { formatBytes, formatCaption, formatSize } from '../caption.ts';
import type { Comparison } from './compare-images.ts';

const pageStyle = `
:root {
  color-scheme: light dark;
  --page: light-dark(oklch(0.985 0 0), oklch(0.185 0 0));
  --surface: light-dark(oklch(1 0 0), oklch(0.22 0 0));
  --stage: light-dark(oklch(0.925 0 0), oklch(0.145 0 0));
  --check: light-dark(oklch(0.86 0 0), oklch(0.26 0 0));
  --line: light-dark(oklch(0.89 0 0), oklch(0.31 0 0));
  --ink: light-dark(oklch(0.2 0 0), oklch(0.95 0 0));
  --muted: light-dark(oklch(0.45 0 0), oklch(0.74 0 0));
  --accent: oklch(0.57 0.21 35);
  --focus: light-dark(oklch(0.57 0.21 35), oklch(0.72 0.17 40));
}
* { box-sizing: border-box; }
body {
  margin: 0 auto;
  padding: 24px 20px 64px;
  max-width: 1200px;
  background: var(--page);
  color: var(--ink);
  font: 400 1rem/1.5 "Inter Variable", Inter, system-ui, sans-serif;
  font-variant-numeric: tabular-nums;
  -webkit-font-smoothing: antialiased;
}
header { display: grid; gap: 4px; margin-bottom: 24px; }
.brand { display: flex; align-items: center; gap: 8px; color: var(--muted); font-size: 0.875rem; font-weight: 500; }
.brand svg { width: 20px; height: 20px; color: var(--accent); }
h1, h2 { margin: 0; font-weight: 650; letter-spacing: -0.02em; overflow-wrap: anywhere; }
h1 { font-size: 1.75rem; line-height: 1.2; margin-top: 16px; }
h2 { font-size: 1.25rem; line-height: 1.35; }
section { margin-top: 48px; display: grid; gap: 12px; }
p, figure { margin: 0; }
figcaption, .note { color: var(--muted); font-size: 0.875rem; max-width: 72ch; }
.image { display: block; width: 100%; height: auto; border-radius: 0; }
.coarse { image-rendering: pixelated; }
.stage { background: var(--stage); outline: 1px solid var(--line); outline-offset: -1px; }
.checked { background: repeating-conic-gradient(var(--check) 0 25%, var(--stage) 0 50%) 0 0 / 16px 16px; }
/* As wide as there is room, and no higher than most of a screen. */
.shaped { width: min(100%, 85vh * var(--ratio)); margin-inline: auto; }
.compare { --at: 50%; position: relative; container-type: inline-size; cursor: ew-resize; touch-action: pan-y; user-select: none; }
.compare .before { clip-path: inset(0 calc(100% - var(--at)) 0 0); }
.compare .after { position: absolute; inset: 0; height: 100%; clip-path: inset(0 0 0 var(--at)); }
.compare input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; pointer-events: none; }
.compare .border { position: absolute; inset: 0 auto 0 var(--at); width: 2px; margin-left: -1px; background: #fff; box-shadow: 0 0 0 1px rgb(0 0 0 / 0.4); }
.compare .handle { position: absolute; top: 50%; left: 50%; width: 44px; height: 44px; margin: -22px; padding: 11px; border-radius: 999px; background: #fff; color: #222; border: 1px solid rgb(0 0 0 / 0.4); }
.compare:has(input:focus-visible) .handle { outline: 3px solid var(--focus); outline-offset: 2px; }
.compare .label { position: absolute; top: 8px; padding: 2px 8px; border-radius: 8px; background: rgb(0 0 0 / 0.72); color: #fff; font-size: 0.75rem; font-weight: 500; pointer-events: none; }
.compare .label.left { left: 8px; }
.compare .label.right { right: 8px; }
.legend { display: grid; gap: 4px; max-width: 420px; font-size: 0.75rem; color: var(--muted); }
.legend .ramp { height: 12px; background: linear-gradient(to right, #000, #fff); border: 1px solid var(--line); }
.legend .ends { display: flex; justify-content: space-between; }
.crops { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 320px), 1fr)); gap: 32px 24px; }
.crop, .crop figure { display: grid; gap: 8px; align-content: start; }
.crop figure { gap: 4px; }
.crop img { display: block; max-width: 100%; height: auto; }
dl { margin: 0; border: 1px solid var(--line); border-radius: 10px; background: var(--surface); overflow: hidden; }
dl > div { display: grid; grid-template-columns: 12rem 1fr; gap: 4px 16px; padding: 10px 16px; }
dl > div + div { border-top: 1px solid var(--line); }
dt { color: var(--muted); }
dd { margin: 0; overflow-wrap: anywhere; }
dd ul { margin: 0; padding-left: 1.1em; }
code { font: 0.875rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
.stages { display: grid; grid-template-columns: max-content max-content 1fr; gap: 2px 12px; align-items: center; }
.stages span:nth-child(3n + 2) { text-align: right; }
.stages svg { width: 100%; height: 8px; color: var(--muted); }
@media (max-width: 640px) {
  dl > div { grid-template-columns: 1fr; }
  section { margin-top: 36px; }
}
@container (max-width: 560px) { .label span { display: none; } }
@media print { .compare input, .handle { display: none; } }
`;

const pageScript = `
const view = document.querySelector('.compare');
const input = view.querySelector('input');
const show = () => {
  view.style.setProperty('--at', input.value + '%');
  input.setAttribute('aria-valuetext', Math.round(input.value) + ' % original');
};
const follow = (event) => {
  const box = view.getBoundingClientRect();
  input.value = (100 * (event.clientX - box.left)) / box.width;
  show();
};
input.addEventListener('input', show);
view.addEventListener('mousedown', (event) => event.preventDefault());
view.addEventListener('pointerdown', (event) => {
  if (event.button !== 0) return;
  view.setPointerCapture(event.pointerId);
  input.focus({ preventScroll: true });
  follow(event);
});
view.addEventListener('pointermove', (event) => view.hasPointerCapture(event.pointerId) && follow(event));
show();
`;

type PageInput = { name: string; receipt: Receipt; comparison: Comparison };

type Html = { html: string };
type Part = string | number | Html | readonly Html[];

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => entities[sign] as string);

function renderPart(part: Part): string {
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part));
  return 'html' in part ? part.html : part.map(({ html }) => html).join('');
}

/** Creates HTML from a template. Escapes values that aren't HTML. */
const html = (texts: TemplateStringsArray, ...parts: Part[]): Html => ({
  html: texts.reduce((whole, text, i) => whole + renderPart(parts[i - 1] ?? '') + text),
});

/** Marks the page's own styles and scripts as safe HTML. */
const trustedHtml = (text: string): Html => ({ html: text });

const logoSvg = html`<svg viewBox="0 0 24 24" fill="currentColor" aria-hidden="true"><path d="M3 3h8v8H3z"/><path d="M13 3a8 8 0 0 1 8 8h-8z"/><path d="M13 13h8v8h-8z"/><path d="M3 13h8v8H3z"/></svg>`;
const arrowsSvg = html`<svg viewBox="0 0 20 20" fill="none" stroke="currentColor" stroke-width="1.5" aria-hidden="true"><path d="M7 5l-5 5 5 5M13 5l5 5-5 5"/></svg>`;
/** Minimum width of images that are displayed with interpolation, in pixels. */
const minSmoothWidth = 480;

const contentSecurityPolicy = `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-${createHash('sha256').update(pageScript).digest('base64')}'`;

export function makePage({ name, receipt, comparison }: PageInput): string {
  const ms = Object.values(receipt.stagesMs).reduce((sum, stage) => sum + stage, 0);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy}">
<title>${name} · Uprez</title>
<style>${trustedHtml(pageStyle)}</style>
</head>
<body>
<header>
<div class="brand">${logoSvg}Uprez</div>
<h1>${name}</h1>
<p class="note">${formatCaption({ before: receipt.source, after: receipt, ms, engine: receipt.engine })}</p>
</header>
<main>
${renderSlider(receipt, comparison)}
${renderDifference(comparison)}
${renderDetails(comparison)}
<section>
<h2>Receipt</h2>
<dl>
${renderReceiptRows(receipt)}</dl>
</section>
</main>
<script>${trustedHtml(pageScript)}</script>
</body>
</html>
`;
  return page.html;
}

function renderSlider(receipt: Receipt, { before, after, isTransparent }: Comparison): Html {
  const { width, height } = after;
  const looks = `image${width < minSmoothWidth ? ' coarse' : ''}`;
  const sides = html`width="${width}" height="${height}"`;
  const reduced = width < receipt.width ? ` Both are shown at ${formatSize(after)}.` : '';
  return html`<section aria-label="Before and after">
<div class="stage">
<div class="compare shaped${isTransparent ? ' checked' : ''}" style="--ratio: ${(width / height).toFixed(4)}">
<img class="${looks} before" ${sides} src="${before.uri}" alt="The original, upscaled with standard resampling">
<img class="${looks} after" ${sides} src="${after.uri}" alt="The result">
<span class="label left">Original<span> · ${formatSize(receipt.source)} · ${formatBytes(receipt.source)}</span></span>
<span class="label right">Result<span> · ${formatSize(receipt)} · ${formatBytes(receipt)}</span></span>
<div class="border"><div class="handle">${arrowsSvg}</div></div>
<input type="range" min="0" max="100" step="1" value="50" aria-label="Divider between original and result">
</div>
</div>
<p class="note">Drag across the image, or use the arrow keys. The original is upscaled to the size of the result with standard resampling.${reduced}</p>
</section>`;
}

function renderDifference({ difference: { gain, mean, ...shown }, isTransparent }: Comparison): Html {
  const looks = `image shaped${shown.width < minSmoothWidth ? ' coarse' : ''}`;
  return html`<section>
<h2>What changed</h2>
<div class="stage"><img class="${looks}" style="--ratio: ${(shown.width / shown.height).toFixed(4)}" width="${shown.width}" height="${shown.height}" src="${shown.uri}" alt="Absolute difference between the result and the original upscaled with standard resampling"></div>
<div class="legend"><div class="ramp"></div><div class="ends"><span>no difference</span><span>${Math.ceil(255 / gain)} of 255 levels or more</span></div></div>
<p class="note">The absolute difference between the result and the original upscaled with standard resampling. Each channel is amplified ${gain}x. The average difference is ${mean.toFixed(2)} of 255 levels.${isTransparent ? ' Transparent parts are compared on white.' : ''}</p>
</section>`;
}

function renderDetails({ crops }: Comparison): Html {
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
<p class="note">${formatSize(region)} pixels, ${formatCount(region.left)} from the left and ${formatCount(region.top)} from the top.</p>
</div>
`,
)}</div>
</section>`;
}

const renderRow = (name: string, value: Part) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`;

/** Leaves out values that don't apply. */
function renderReceiptRows(receipt: Receipt): Html[] {
  const { engine, device, source, fidelity } = receipt;
  const { mean, worst } = receipt.colorDifference;
  const differences = `${mean.toFixed(1)} average, ${worst.toFixed(1)} maximum (1 is just visible)`;
  const retries = receipt.retries.map((retry) =>
    [retry.engine, retry.variant, retry.reason].filter(Boolean).join(', '),
  );
  const versions = Object.entries(receipt.versions).map(([name, version]) => `${name} ${version}`);
  return [
    renderRow('Engine', [engine, receipt.autoChoice?.reason].filter(Boolean).join(': ')),
    ...renderNetworkRows(receipt),
    renderRow('Device', device),
    renderRow('Source', html`${formatSize(source)}, ${formatBytes(source)}<br><code>${source.sha256}</code>`),
    renderRow('Result', html`${describeResult(receipt)}<br><code>${receipt.sha256}</code>`),
    ...(fidelity
      ? [renderRow('Fidelity', `${fidelity.score.toFixed(1)} of 100 (SSIM ${fidelity.structure.toFixed(3)})`)]
      : []),
    renderRow('Color difference (CIEDE2000)', differences),
    renderRow('Time', html`<div class="stages">${renderStageBars(receipt)}</div>`),
    ...listRow('Discarded attempts', retries),
    ...listRow('Notes', receipt.notes),
    renderRow('Versions', versions.join(', ')),
  ];
}

function renderNetworkRows(receipt: Receipt): Html[] {
  const { variant, variantReason, model, passes, tiles, strips } = receipt;
  if (!variant && !model && tiles + strips === 0) return [renderRow('Model', 'none')];
  return [
    ...(variant ? [renderRow('Precision', [variant, variantReason].filter(Boolean).join(': '))] : []),
    ...(model ? [renderRow('Model', html`<code>${model}</code>`)] : []),
    renderRow('Work', `${pluralize(passes, 'pass', 'passes')} of 4x, ${describeSteps(receipt)}`),
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
    formatSize(receipt),
    formatBytes(receipt),
    formatNames[format],
    `${bitDepth} bits`,
    ...(quality === null ? [] : [`quality ${quality}`]),
    ...(frames > 1 ? [`${formatCount(frames)} frames`] : []),
  ];
  return facts.join(', ');
}

function renderStageBars({ stagesMs }: Receipt): Html[] {
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
  return [renderRow(name, html`<ul>${texts.map((text) => html`<li>${text}</li>`)}</ul>`)];
}
