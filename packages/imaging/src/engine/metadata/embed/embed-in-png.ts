import { crc32 } from 'node:zlib';
import { centimetersPerInch, type Resolution } from '../resolution.ts';
import type { Embedding, EncodedFile } from './embedding.ts';
import type { Edit } from './splice-file.ts';

/** The signature and the header chunk. */
const at = 8 + 25;
/** Uncompressed, without language and translated keyword. */
const xmpHead = Buffer.from('XML:com.adobe.xmp\0\0\0\0\0', 'latin1');

/** Insert chunks after the header. The chunk of a resolution replaces that of the encoder. */
export async function embedInPng(file: EncodedFile, { exif, xmp, resolution }: Embedding): Promise<Edit[]> {
  const chunks = [
    ...(resolution ? [chunk('pHYs', densityOf(resolution))] : []),
    ...(exif ? [chunk('eXIf', exif)] : []),
    ...(xmp ? [chunk('iTXt', Buffer.concat([xmpHead, xmp]))] : []),
  ];
  const former = resolution ? await findDensity(file) : [];
  return [{ at, bytes: Buffer.concat(chunks) }, ...former];
}

const inchesPerMeter = 100 / centimetersPerInch;

/** Pixels per meter (PNG 3, 11.3.5.3). */
function densityOf({ x, y }: Resolution): Buffer {
  const data = Buffer.alloc(9, 1);
  data.writeUInt32BE(Math.round(x * inchesPerMeter), 0);
  data.writeUInt32BE(Math.round(y * inchesPerMeter), 4);
  return data;
}

/** The removal of the chunk with a resolution, which comes before the pixels. */
async function findDensity({ read, sizeBytes }: EncodedFile): Promise<Edit[]> {
  for (let start = at; start + 12 <= sizeBytes; ) {
    const head = await read(start, 8);
    const removed = 12 + head.readUInt32BE(0);
    const type = head.toString('latin1', 4);
    if (type === 'pHYs') return [{ at: start, removed, bytes: Buffer.alloc(0) }];
    if (type === 'IDAT') return [];
    start += removed;
  }
  return [];
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
