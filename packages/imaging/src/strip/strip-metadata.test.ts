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
