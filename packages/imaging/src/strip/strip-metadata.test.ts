import { crc32 } from 'node:zlib';
import { AppError } from '@uprez/contracts/errors/app-error';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { stripMetadata } from './strip-metadata.ts';

const secret = 'GPS-SECRET';
const exif = {
  IFD0: { Copyright: secret, Artist: secret },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
};
const draw = () => sharp({ create: { width: 40, height: 20, channels: 3, background: '#4080c0' } });
const pixels = (file: Buffer) => sharp(file).autoOrient().raw().toBuffer();

it.each(['jpeg', 'png', 'webp'] as const)(
  'removes the metadata of a %s file, and keeps pixels, profile, and orientation',
  async (format) => {
    const file = await draw()
      .withExif(exif)
      .withMetadata({ orientation: 6, exif })
      .withIccProfile('p3')
      .toFormat(format)
      .toBuffer();
    expect(file.includes(secret)).toBe(true);
    const stripped = stripMetadata(Buffer.concat([file, Buffer.from(secret)]), format);
    expect(stripped.includes(secret)).toBe(false);
    const [before, after] = [await sharp(file).metadata(), await sharp(stripped).metadata()];
    expect(before.orientation).toBe(6);
    expect(after).toMatchObject({ orientation: 6, width: before.width, height: before.height });
    expect(after.icc).toEqual(before.icc);
    expect(after.xmp).toBeUndefined();
    expect(await pixels(stripped)).toEqual(await pixels(file));
  },
);

it('removes the comments of an animation, and keeps its frames and how often it repeats', async () => {
  const frames = await Promise.all(
    ['#ff0000', '#00ff00'].map((background) =>
      sharp({ create: { width: 8, height: 8, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  const file = await sharp(frames, { join: { animated: true } })
    .gif({ loop: 3 })
    .toBuffer();
  const table = 13 + 3 * 2 ** ((file.readUInt8(10) & 7) + 1) * (file.readUInt8(10) >> 7);
  const comment = Buffer.concat([Buffer.from([0x21, 0xfe, secret.length]), Buffer.from(secret), Buffer.from([0])]);
  const spoken = Buffer.concat([file.subarray(0, table), comment, file.subarray(table), comment]);
  const stripped = stripMetadata(spoken, 'gif');
  expect(stripped.includes(secret)).toBe(false);
  expect(await sharp(stripped, { animated: true }).metadata()).toMatchObject({ pages: 2, loop: 3 });
  expect(await sharp(stripped, { animated: true }).raw().toBuffer()).toEqual(
    await sharp(file, { animated: true }).raw().toBuffer(),
  );
});

it.each(['jpeg', 'png', 'webp', 'gif'] as const)('rejects a %s file that is cut off anywhere', async (format) => {
  const file = await draw().toFormat(format).toBuffer();
  for (let length = 12; length < file.length; length++)
    expect(() => stripMetadata(file.subarray(0, length), format), String(length)).toThrow(AppError);
});

const le32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
/** Puts bytes before another position of a file. */
const insert = (file: Buffer, at: number, ...bytes: Buffer[]) =>
  Buffer.concat([file.subarray(0, at), ...bytes, file.subarray(at)]);

/** Files with a secret in a place that decoders skip. */
const hidden: Record<string, () => Promise<Buffer>> = {
  'jpeg: the preview of JFIF': async () => {
    const preview = Buffer.alloc(12, secret);
    const head = Buffer.from([0xff, 0xe0, 0, 16 + preview.length]);
    const body = Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\x02\x02', 'latin1');
    return insert(await draw().jpeg().toBuffer(), 2, head, body, preview);
  },
  'png: an unknown chunk that looks important': async () =>
    insert(await draw().png().toBuffer(), 33, Buffer.from([0, 0, 0, 12]), Buffer.from(`SEcr${secret}xx\0\0\0\0`)),
  'gif: an unknown extension': async () => {
    const file = await draw().gif().toBuffer();
    const table = 13 + 3 * 2 ** ((file.readUInt8(10) & 7) + 1) * (file.readUInt8(10) >> 7);
    return insert(file, table, Buffer.from([0x21, 0x42, secret.length]), Buffer.from(`${secret}\0`));
  },
  'webp: a chunk in a frame': async () => {
    const frames = await Promise.all([draw(), draw().negate()].map((frame) => frame.png().toBuffer()));
    const file = await sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer();
    const at = file.indexOf('ANMF');
    const length = file.readUInt32LE(at + 4);
    const secrets = insert(file, at + 8 + length, Buffer.from('EXIF'), le32(secret.length), Buffer.from(secret));
    secrets.writeUInt32LE(length + 8 + secret.length, at + 4);
    secrets.writeUInt32LE(secrets.length - 8, 4);
    return secrets;
  },
};
it.each(Object.entries(hidden))('removes what hides in %s', async (name, make) => {
  const file = await make();
  const format = name.split(':')[0] as 'jpeg' | 'png' | 'gif' | 'webp';
  expect(file.includes(secret)).toBe(true);
  const stripped = stripMetadata(file, format);
  expect(stripped.includes(secret)).toBe(false);
  const decoded = await sharp(stripped, { animated: true, failOn: 'error' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect(decoded.info.width).toBe(40);
});

const jfif = (unit: number, x: number, y: number) =>
  Buffer.from([0xff, 0xe0, 0, 16, ...Buffer.from('JFIF\0'), 1, 2, unit, 0, x, 0, y, 0, 0]);

it.each([
  ['per inch', jfif(1, 200, 200), jfif(0, 1, 1)],
  ['per centimeter', jfif(2, 118, 118), jfif(0, 1, 1)],
  ['of pixels that are not square', jfif(1, 200, 100), jfif(0, 200, 100)],
])('removes a resolution %s of a jpeg file on request', async (_, segment, wanted) => {
  const plain = await draw().jpeg().toBuffer();
  const file = insert(plain, 2, segment);
  expect(stripMetadata(file, 'jpeg')).toEqual(file);
  expect(stripMetadata(file, 'jpeg', { removesResolution: true })).toEqual(insert(plain, 2, wanted));
});

it('removes the resolution of a png file on request, and keeps the ratio of its pixels', async () => {
  const file = await draw().withMetadata({ density: 300 }).png().toBuffer();
  expect((await sharp(stripMetadata(file, 'png')).metadata()).density).toBe(300);
  const bare = stripMetadata(file, 'png', { removesResolution: true });
  expect(bare.includes('pHYs')).toBe(false);
  expect(await pixels(bare)).toEqual(await pixels(file));
  const at = file.indexOf('pHYs');
  file.writeUInt32BE(1_000, at + 4);
  file.writeUInt32BE(crc32(file.subarray(at, at + 13)), at + 13);
  const ratio = stripMetadata(file, 'png', { removesResolution: true });
  const start = ratio.indexOf('pHYs') + 4;
  expect(ratio.subarray(start, start + 9)).toEqual(Buffer.concat([file.subarray(at + 4, at + 12), Buffer.of(0)]));
  expect(await sharp(ratio, { failOn: 'warning' }).raw().toBuffer()).toEqual(await pixels(file));
});
