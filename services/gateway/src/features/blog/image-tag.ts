import type { ShownImage } from '@uprez/contracts/schemas/content/media';
import { escapeHtml } from '../../http/web/escape-html.ts';

/** An image as HTML. `sizes`: its width on the page; undefined: only its largest version is offered. */
export function imageTag({ src, srcset, width, height, alt }: ShownImage, sizes?: string): string {
  const sources = sizes === undefined ? '' : ` srcset="${escapeHtml(srcset)}" sizes="${escapeHtml(sizes)}"`;
  return `<img src="${escapeHtml(src)}"${sources} width="${width}" height="${height}" alt="${escapeHtml(alt)}" />`;
}
