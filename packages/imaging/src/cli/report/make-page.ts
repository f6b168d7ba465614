import { createHash } from 'node:crypto';
import type { Receipt } from '@uprez/contracts/schemas/receipt';
import { bytes, caption, count, size } from '../caption.ts';
import type { Comparison } from './compare-images.ts';
import { pageScript } from './page-script.ts';
import { pageStyle } from './page-style.ts';
import { type Html, html, receiptRows, trusted } from './receipt-rows.ts';

export type PageFacts = { name: string; receipt: Receipt; comparison: Comparison };

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
${receiptRows(receipt).map((row) => html`<div><dt>${row.name}</dt><dd>${row.value}</dd></div>\n`)}</dl>
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
<p class="note">${size(region)} pixels, ${count(region.left)} from the left and ${count(region.top)} from the top.</p>
</div>
`,
)}</div>
</section>`;
}
