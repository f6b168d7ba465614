type Value = Buffer | 'exif' | 'gps';
type Entry = [tag: number, type: number, value: Value];
const sizeOf: Record<number, number> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1 };

const word = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const text = (value: string) => Buffer.from(`${value}\0`, 'utf8');
const rational = (...pairs: number[]) => Buffer.concat(pairs.map(word));

/** Private data of a photo, each with a unique word. */
export const secrets = {
  place: 'SECRETPLACE',
  time: '1999:12:31',
  maker: 'SECRETMAKERNOTE',
  thumbnail: 'SECRETTHUMBNAIL',
  padding: 'SECRETPADDING',
  serial: 'SECRETSERIAL',
  comment: 'SECRETCOMMENT',
  model: 'SECRETMODEL',
};

/** Returns the TIFF structure of an EXIF block (EXIF 2.32) with camera, author, maker note, location, and thumbnail. */
export function makeExif({ artist, copyright }: { artist: string; copyright: string }): Buffer {
  const thumbnail = Buffer.from(secrets.thumbnail);
  const main: Entry[] = [
    [0x0110, 2, text(secrets.model)],
    [0x0112, 3, Buffer.from([3, 0])],
    [0x013b, 2, text(artist)],
    [0x8298, 2, text(copyright)],
    [0x8769, 4, 'exif'],
    [0x8825, 4, 'gps'],
    [0xea1c, 7, Buffer.from(secrets.padding)],
  ];
  const exif: Entry[] = [
    [0x829a, 5, rational(1, 125)],
    [0x927c, 7, Buffer.from(secrets.maker)],
    [0x9286, 7, Buffer.from(`ASCII\0\0\0${secrets.comment}`)],
    [0xa431, 2, text(secrets.serial)],
  ];
  const gps: Entry[] = [
    [0x0001, 2, text('N')],
    [0x0002, 5, rational(51, 1, 30, 1, 0, 1)],
    [0x0012, 2, text(secrets.place)],
    [0x001d, 2, text(secrets.time)],
  ];
  const small: Entry[] = [
    [0x0201, 4, word(0)],
    [0x0202, 4, word(thumbnail.length)],
  ];
  const exifAt = 8 + bytesOf(main);
  const gpsAt = exifAt + bytesOf(exif);
  const smallAt = gpsAt + bytesOf(gps);
  small[0] = [0x0201, 4, word(smallAt + bytesOf(small))];
  const where = { exif: exifAt, gps: gpsAt };
  const directory = (entries: Entry[], at: number, next = 0) => spell(entries, { at, next, where });
  return Buffer.concat([
    Buffer.from([0x49, 0x49, 42, 0, 8, 0, 0, 0]),
    directory(main, 8, smallAt),
    directory(exif, exifAt),
    directory(gps, gpsAt),
    directory(small, smallAt),
    thumbnail,
  ]);
}

const padded = (value: Value) =>
  typeof value === 'string' || value.length <= 4 ? 0 : value.length + (value.length % 2);
const bytesOf = (entries: Entry[]) =>
  entries.reduce((sum, [, , value]) => sum + padded(value), 2 + 12 * entries.length + 4);

type Place = { at: number; next: number; where: { exif: number; gps: number } };

function spell(entries: Entry[], { at, next, where }: Place): Buffer {
  const bytes = Buffer.alloc(bytesOf(entries));
  let tail = 2 + 12 * entries.length + 4;
  bytes.writeUInt16LE(entries.length, 0);
  entries.forEach(([tag, type, value], i) => {
    const data = typeof value === 'string' ? word(where[value]) : value;
    const entry = 2 + 12 * i;
    bytes.writeUInt16LE(tag, entry);
    bytes.writeUInt16LE(type, entry + 2);
    bytes.writeUInt32LE(data.length / (sizeOf[type] ?? 1), entry + 4);
    if (data.length <= 4) data.copy(bytes, entry + 8);
    else {
      bytes.writeUInt32LE(at + tail, entry + 8);
      data.copy(bytes, tail);
      tail += padded(data);
    }
  });
  bytes.writeUInt32LE(next, 2 + 12 * entries.length);
  return bytes;
}
