import { crc32 } from 'node:zlib';
import type { Embedding, EncodedFile } from './embedding.ts';
import type { Edit } from './splice-file.ts';

/** The signature and the header chunk. */
const at = 8 + 25;
/** Uncompressed, without language and translated keyword. */
const xmpHead = Buffer.from('XML:com.adobe.xmp\0\0\0\0\0', 'latin1');

/** Insert chunks after the header. */
export function embedInPng(_: EncodedFile, { exif, xmp }: Embedding): Edit[] {
  const chunks = [
    ...(exif ? [chunk('eXIf', exif)] : []),
    ...(xmp ? [chunk('iTXt', Buffer.concat([xmpHead, xmp]))] : []),
  ];
  return [{ at, bytes: Buffer.concat(chunks) }];
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
