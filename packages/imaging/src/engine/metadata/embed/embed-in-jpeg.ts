import type { Resolution } from '../resolution.ts';
import type { Embedding, EncodedFile } from './embedding.ts';
import type { Edit } from './splice-file.ts';

const app1 = 0xe1;
const [exifName, xmpName] = ['Exif\0\0', 'http://ns.adobe.com/xap/1.0/\0'];
const [startBytes, jfifMarker] = [2, 0xe0];

/** A JFIF segment of version 1.02 up to the unit of its density, whose offset is that in a file. libvips writes none. */
const jfifHead = Buffer.from('\xff\xe0\0\x10JFIF\0\x01\x02', 'latin1');
const densityAt = 13;
const noThumbnail = Buffer.from([0, 0]);

/** Insert segments after the JFIF segment, which comes first. */
export function embedInJpeg({ head }: EncodedFile, { exif, xmp, resolution }: Embedding): Edit[] {
  const hasJfif = head[startBytes + 1] === jfifMarker;
  const at = hasJfif ? startBytes + 2 + head.readUInt16BE(startBytes + 2) : startBytes;
  const bytes = Buffer.concat([...(exif ? [segment(exifName, exif)] : []), ...(xmp ? [segment(xmpName, xmp)] : [])]);
  const density = resolution && densityOf(resolution);
  if (!density) return [{ at, bytes }];
  if (hasJfif)
    return [
      { at: densityAt, removed: density.length, bytes: density },
      { at, bytes },
    ];
  return [{ at, bytes: Buffer.concat([jfifHead, density, noThumbnail, bytes]) }];
}

/** Unit and density of the JFIF segment (ITU-T T.871): whole numbers per inch. */
function densityOf({ x, y }: Resolution): Buffer {
  const bytes = Buffer.from([1, 0, 0, 0, 0]);
  bytes.writeUInt16BE(Math.round(x), 1);
  bytes.writeUInt16BE(Math.round(y), 3);
  return bytes;
}

function segment(name: string, data: Buffer): Buffer {
  const head = Buffer.from([0xff, app1, 0, 0]);
  head.writeUInt16BE(2 + name.length + data.length, 2);
  return Buffer.concat([head, Buffer.from(name, 'latin1'), data]);
}
