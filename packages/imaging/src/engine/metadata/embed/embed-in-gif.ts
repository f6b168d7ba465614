import { headBytes, tableBytes } from '../../../strip/strip-gif.ts';
import type { Embedding, EncodedFile } from './embedding.ts';
import type { Edit } from './splice-file.ts';

const introducer = Buffer.from('\x21\xff\x0bXMP DataXMP', 'latin1');
/** Leads readers of blocks to the end of the packet (XMP Specification Part 3, 1.1.2). */
const magic = Buffer.from([1, ...Array.from({ length: 256 }, (_, i) => 255 - i), 0]);

/** Insert XMP as an application extension, the only metadata of a GIF besides comments. */
export function embedInGif({ head }: EncodedFile, { xmp }: Embedding): Edit[] {
  const at = headBytes + tableBytes(head[10] ?? 0);
  return xmp ? [{ at, bytes: Buffer.concat([introducer, xmp, magic]) }] : [];
}
