type Contents = { codestream: Buffer; exif?: Buffer | undefined; xmp?: string | undefined };

const signature = Buffer.from('\0\0\0\x0cJXL \r\n\x87\n', 'latin1');
const offsetBytes = 4;
const headerBytes = 8;

/**
 * Make a JPEG XL file with EXIF data (from its TIFF header on) and XMP (ISO/IEC 18181-2). Metadata isn't packed, because few
 * programs can read packed metadata. Without metadata, the file is the codestream. A codestream that is in a container
 * already, as those of level 10 are, stays in it.
 */
export function writeJxlContainer({ codestream, exif, xmp }: Contents): Buffer {
  const metadata = [
    ...(exif ? [box('Exif', Buffer.concat([Buffer.alloc(offsetBytes), exif]))] : []),
    ...(xmp ? [box('xml ', Buffer.from(xmp))] : []),
  ];
  if (metadata.length === 0) return codestream;
  if (codestream.subarray(0, signature.length).equals(signature)) return Buffer.concat([codestream, ...metadata]);
  const type = box('ftyp', Buffer.from('jxl \0\0\0\0jxl ', 'latin1'));
  return Buffer.concat([signature, type, ...metadata, box('jxlc', codestream)]);
}

function box(type: string, content: Buffer): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt32BE(headerBytes + content.length, 0);
  header.write(type, 4, 'latin1');
  return Buffer.concat([header, content]);
}
