import { writeFile } from 'node:fs/promises';
import { AppError } from '@uprez/contracts/errors/app-error';
import { exifOf } from '../metadata/embed/embed-metadata.ts';
import { writeExif } from '../metadata/exif/write-exif.ts';
import type { ResultMetadata } from '../metadata/select-metadata.ts';
import type { RowFile } from '../rows/row-file.ts';
import { type JxlWorker, openJxlWorker } from './open-jxl-worker.ts';

type WriteJxlInput = { rows: RowFile; icc: Buffer | undefined; metadata: ResultMetadata; signal: AbortSignal };

/** More threads aren't faster, and each takes at least 20 MB of the 2 GB that WebAssembly can address. */
const threadCount = 1;

/**
 * Encodes rows as JPEG XL to the file `path`, with the profile and metadata. Each file has its own thread, because the
 * library uses more address space with each file, and WebAssembly is limited to 2 GB. Throws AppError `cancelled`, or
 * Error if the encoder fails.
 */
export async function writeJxl(path: string, { metadata, ...image }: WriteJxlInput, quality: number): Promise<void> {
  const fields = exifOf(metadata, 'jxl');
  const exif = fields && writeExif(fields);
  const worker = await openJxlWorker(threadCount, image.signal);
  try {
    const codestream = await encodeRows(worker, image, quality);
    await writeFile(path, writeJxlContainer({ codestream, exif, xmp: metadata.xmp }));
  } catch (cause) {
    // The thread reports every failure as `corrupt_image`, but a failure to encode isn't caused by the image.
    const isFailed = cause instanceof AppError && cause.code === 'corrupt_image';
    throw isFailed ? new Error('the encoder of JPEG XL failed', { cause }) : cause;
  } finally {
    await worker.close();
  }
}

const chunkBytes = 4 * 1024 * 1024;

async function encodeRows(
  worker: JxlWorker,
  { rows, icc }: Pick<WriteJxlInput, 'rows' | 'icc'>,
  quality: number,
): Promise<Buffer> {
  const { width, height, channels, depth, readRows } = rows;
  const rowsAtOnce = Math.max(1, Math.floor(chunkBytes / ((width * channels * depth) / 8)));
  for (let y = 0; y < height; y += rowsAtOnce) {
    const samples = await readRows(y, Math.min(rowsAtOnce, height - y));
    await worker.ask({ type: 'add', samples, width, channels }, 'added');
  }
  const { file } = await worker.ask({ type: 'encode', quality, ...(icc && { icc }) }, 'encoded');
  return Buffer.from(file.buffer, file.byteOffset, file.length);
}

type ContainerContents = { codestream: Buffer; exif?: Buffer | undefined; xmp?: string | undefined };

const signature = Buffer.from('\0\0\0\x0cJXL \r\n\x87\n', 'latin1');
const exifOffsetBytes = 4;
const headerBytes = 8;

/**
 * Creates a JPEG XL file with EXIF data (starting at its TIFF header) and XMP (ISO/IEC 18181-2). Metadata isn't
 * compressed, because few programs can read compressed metadata. Without metadata, returns the codestream. If the
 * codestream is already in a container, as at level 10, appends the metadata to that container.
 */
export function writeJxlContainer({ codestream, exif, xmp }: ContainerContents): Buffer {
  const metadata = [
    ...(exif ? [encodeBox('Exif', Buffer.concat([Buffer.alloc(exifOffsetBytes), exif]))] : []),
    ...(xmp ? [encodeBox('xml ', Buffer.from(xmp))] : []),
  ];
  if (metadata.length === 0) return codestream;
  if (codestream.subarray(0, signature.length).equals(signature)) return Buffer.concat([codestream, ...metadata]);
  const type = encodeBox('ftyp', Buffer.from('jxl \0\0\0\0jxl ', 'latin1'));
  return Buffer.concat([signature, type, ...metadata, encodeBox('jxlc', codestream)]);
}

function encodeBox(type: string, content: Buffer): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt32BE(headerBytes + content.length, 0);
  header.write(type, 4, 'latin1');
  return Buffer.concat([header, content]);
}
