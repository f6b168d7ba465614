/** Returns a segment of a JPEG file. */
export function segment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}

/** Returns a data set of IPTC with a short value. */
export const dataSet = (record: number, number: number, value: Buffer) =>
  Buffer.concat([Buffer.from([0x1c, record, number, 0, value.length]), value]);

/** Returns a resource of Photoshop without a name. */
export function resource(id: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.write('8BIM', 'latin1');
  head.writeUInt16BE(id, 4);
  head.writeUInt32BE(data.length, 8);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

const latin = (text: string) => Buffer.from(text, 'latin1');

/** Returns segments of a JPEG file for these blocks. */
export const exifSegment = (exif: Buffer) => segment(0xe1, Buffer.concat([latin('Exif\0\0'), exif]));
export const xmpSegment = (xmp: string | Buffer) =>
  segment(0xe1, Buffer.concat([latin('http://ns.adobe.com/xap/1.0/\0'), Buffer.from(xmp)]));
export const photoshopSegment = (...resources: Buffer[]) =>
  segment(0xed, Buffer.concat([latin('Photoshop 3.0\0'), ...resources]));
export const iptcSegment = (...sets: Buffer[]) => photoshopSegment(resource(0x0404, Buffer.concat(sets)));

/** Inserts segments after the start of a JPEG. */
export const insertSegments = (jpeg: Buffer, ...segments: Buffer[]) =>
  Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);

/** Returns an XMP packet with attributes and elements of a description. */
export const makePacket = (attributes: string, elements = '') =>
  `<?xpacket begin="\ufeff"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" ${attributes}>${elements}</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;
