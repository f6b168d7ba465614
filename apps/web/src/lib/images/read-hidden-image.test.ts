import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readHiddenImage } from './read-hidden-image.ts';

const fixture = (path: string) =>
  new Blob([readFileSync(new URL(`../../../../../packages/imaging/test/fixtures/${path}`, import.meta.url))]);

it.each([
  ['a HEIC image with its size', 'heic/photo.heic', { hiddenFormat: 'HEIC', size: { width: 64, height: 48 } }],
  ['a JPEG XL image', 'jxl/photo.jxl', { hiddenFormat: 'JPEG XL' }],
  ['nothing in other files', 'heic/README.md', {}],
])('finds %s', async (_name, path, found) => {
  expect(await readHiddenImage(fixture(path))).toEqual(found);
});

it('calls a file damaged if browsers open its format', async () =>
  expect(await readHiddenImage(new Blob(['\x89PNG\r\n\x1a\n'].map((text) => Buffer.from(text, 'latin1'))))).toEqual({
    damagedFormat: 'PNG',
  }));
