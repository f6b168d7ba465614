import type { Embedding, EncodedFile } from './embedding.ts';
import type { Edit } from './splice-file.ts';

const app1 = 0xe1;
const [exifName, xmpName] = ['Exif\0\0', 'http://ns.adobe.com/xap/1.0/\0'];
const [startBytes, jfifMarker] = [2, 0xe0];

/** Insert segments after the JFIF segment, which comes first. */
export function embedInJpeg({ head }: EncodedFile, { exif, xmp }: Embedding): Edit[] {
  const at = head[startBytes + 1] === jfifMarker ? startBytes + 2 + head.readUInt16BE(startBytes + 2) : startBytes;
  const bytes = Buffer.concat([...(exif ? [segment(exifName, exif)] : []), ...(xmp ? [segment(xmpName, xmp)] : [])]);
  return [{ at, bytes }];
}

function segment(name: string, data: Buffer): Buffer {
  const head = Buffer.from([0xff, app1, 0, 0]);
  head.writeUInt16BE(2 + name.length + data.length, 2);
  return Buffer.concat([head, Buffer.from(name, 'latin1'), data]);
}
