import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readHeicSize } from './read-heic-size.ts';

const file = readFileSync(new URL('../../../../../packages/imaging/test/fixtures/heic/photo.heic', import.meta.url));

it('reads the size of an image behind its crop', () => {
  expect(readHeicSize(file)).toEqual({ width: 64, height: 48 });
});

it('returns undefined for other, damaged, and cut files', () => {
  expect(readHeicSize(new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0, 0, 0]))).toBeUndefined();
  for (let length = 0; length < 400; length += 7) expect(readHeicSize(file.subarray(0, length))).toBeUndefined();
  const turned = Buffer.from(file);
  turned.write('irot', turned.indexOf('pixi'), 'latin1');
  expect(() => readHeicSize(turned)).not.toThrow();
});
