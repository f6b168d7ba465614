import type { AttachmentType } from '@uprez/contracts/policy/tickets';
import { sniffFormat } from '@uprez/imaging/sniff/sniff-format';

const images = { png: 'png', jpeg: 'jpg', webp: 'webp' } as const satisfies Record<string, AttachmentType>;

/** Control characters that texts don't contain: all but tabs, line breaks, and form feeds. */
const binary = /[^\P{Cc}\t\n\f\r\u0085]/u;
const markup = /^[\s\uFEFF]*<(?:[a-z!?/])/i;

/**
 * The type of a file by its content. Texts have no signature, so their names must end in `.txt`, and they must not be
 * markup. Undefined for all other files.
 */
export function sniffAttachment(name: string, bytes: Buffer): AttachmentType | undefined {
  const format = sniffFormat(bytes)?.readable;
  if (format) return format in images ? images[format as keyof typeof images] : undefined;
  if (bytes.subarray(0, 5).toString('latin1') === '%PDF-') return 'pdf';
  return /\.txt$/i.test(name) && isPlainText(bytes) ? 'txt' : undefined;
}

function isPlainText(bytes: Buffer): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return !binary.test(text) && !markup.test(text);
  } catch {
    return false;
  }
}
