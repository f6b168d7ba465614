import { AppError, fileTooLarge } from '@uprez/contracts/errors/app-error';
import { type MediaType, mediaLimits } from '@uprez/contracts/policy/images/media';
import { sniffFormat } from '@uprez/imaging/sniff/sniff-format';
import { stripMetadata } from '@uprez/imaging/strip/strip-metadata';

/** A received file. `isCut`: whether it was longer than `mediaLimits.fileBytes` and was truncated. */
export type ReceivedMedia = { name: string; bytes: Buffer; isCut: boolean };
/** A file as stored: photos without their metadata. */
type CheckedMedia = { name: string; bytes: Buffer; type: MediaType };

const images = { jpeg: 'image/jpeg', png: 'image/png', gif: 'image/gif', webp: 'image/webp' } as const;
const isImage = (format: string | undefined): format is keyof typeof images => format !== undefined && format in images;

/** Text has no signature, so the file name decides. */
const texts: Readonly<Record<string, MediaType>> = {
  txt: 'text/plain',
  text: 'text/plain',
  md: 'text/markdown',
  markdown: 'text/markdown',
};

/**
 * Detects the type of a file from its content, and strips the metadata of photos. Throws `file_too_large`,
 * `empty_file`, `media_type_unsupported`, and `corrupt_image`.
 */
export function checkFile({ name, bytes, isCut }: ReceivedMedia): CheckedMedia {
  if (isCut) throw fileTooLarge(mediaLimits.fileBytes);
  if (bytes.length === 0) throw new AppError('empty_file');
  const format = sniffFormat(bytes)?.readable;
  if (isImage(format)) return { name, bytes: stripMetadata(bytes, format), type: images[format] };
  const type = findDocumentType(name, bytes);
  if (!type) throw new AppError('media_type_unsupported');
  return { name, bytes, type };
}

function findDocumentType(name: string, bytes: Buffer): MediaType | undefined {
  if (isPdf(bytes)) return 'application/pdf';
  const type = texts[name.toLowerCase().split('.').at(-1) ?? ''];
  return type && isPlainText(bytes) ? type : undefined;
}

const pdfEndBytes = 2_048;
const isPdf = (bytes: Buffer) =>
  bytes.toString('latin1', 0, 5) === '%PDF-' && bytes.subarray(-pdfEndBytes).includes('%%EOF');

/** Tab, line breaks, and escape. Other control characters don't occur in text files. */
const controls = [9, 10, 11, 12, 13, 27];
const isControl = (byte: number) => byte < 32 && !controls.includes(byte);
/** Start of HTML, SVG, and other XML, which browsers could execute. */
const markup = /^\s*<[!?/a-z]/i;

function isPlainText(bytes: Buffer): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return !markup.test(text) && !bytes.some(isControl);
  } catch {
    return false;
  }
}
