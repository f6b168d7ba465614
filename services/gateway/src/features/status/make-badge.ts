import type { ServiceState } from '@uprez/contracts/policy/status';
import { overallTexts } from '@uprez/contracts/texts/status';
import { escapeHtml } from '../../http/web/escape-html.ts';

/** White text on these has a contrast of at least 4.5. */
const colors: Record<ServiceState, string> = {
  operational: '#1a7f37',
  degraded: '#9a6700',
  outage: '#c0262d',
  maintenance: '#0b63c5',
  unknown: '#5f6672',
  unconfigured: '#5f6672',
};
const label = 'Status';
const height = 20;
/** Of one character at 11 pixels, about. The text is stretched to the width, whatever the font. */
const characterWidth = 6.4;
const padding = 8;

/** Makes an image of the state of all services, to be embedded in other sites. */
export function makeBadge(state: ServiceState): string {
  const text = overallTexts[state];
  const [left, right] = [label, text].map((part) => Math.round(part.length * characterWidth)) as [number, number];
  const [leftWidth, rightWidth] = [left + 2 * padding, right + 2 * padding];
  const write = (part: string, x: number, length: number) =>
    `<text x="${x}" y="14" textLength="${length}">${escapeHtml(part)}</text>`;
  const title = escapeHtml(`${label}: ${text}`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${leftWidth + rightWidth}" height="${height}" role="img" aria-label="${title}">`,
    `<title>${title}</title>`,
    `<rect width="${leftWidth + rightWidth}" height="${height}" rx="3" fill="#3b3f46"/>`,
    `<path d="M${leftWidth} 0h${rightWidth - 3}a3 3 0 0 1 3 3v${height - 6}a3 3 0 0 1-3 3h-${rightWidth - 3}z" fill="${colors[state]}"/>`,
    `<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">`,
    write(label, padding, left),
    write(text, leftWidth + padding, right),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}
