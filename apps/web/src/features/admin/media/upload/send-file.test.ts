import { mediaLimits } from '@uprez/contracts/policy/images/media';
import { expect, it } from 'vitest';
import { findRejectionReason, makeRows } from './send-file.ts';

it.each([
  [{ name: 'photo.JPG', size: 1 }, 'all', undefined],
  [{ name: 'notes.md', size: 1 }, 'all', undefined],
  [{ name: 'notes.md', size: 1 }, 'image', /^Choose an image/],
  [{ name: 'logo.svg', size: 1 }, 'all', /isn't supported\. Use JPEG, PNG, GIF, WebP, PDF, TXT, or MD\.$/],
  [{ name: 'photo.png.exe', size: 1 }, 'all', /isn't supported/],
  [{ name: 'photo.png', size: 0 }, 'all', /empty/],
  [{ name: 'photo.png', size: mediaLimits.fileBytes }, 'all', undefined],
  [{ name: 'photo.png', size: mediaLimits.fileBytes + 1 }, 'all', /larger than 10 MB/],
] as const)('says why %j is refused as %s', (file, kind, expected) => {
  const reason = findRejectionReason(file, kind);
  if (expected === undefined) expect(reason).toBeUndefined();
  else expect(reason).toMatch(expected);
});

it('refuses only the files beyond the limit of one upload', () => {
  const names = ['logo.svg', ...Array.from({ length: mediaLimits.files }, (_, index) => `${index}.png`)];
  const files = names.map((name) => new File(['x'], name));
  const rows = makeRows(files, { kind: 'all', taken: 1, makeId: () => '' });
  expect(rows.map(({ state }) => state)).toEqual([
    'refused',
    ...Array.from({ length: mediaLimits.files - 1 }, () => 'ready'),
    'refused',
  ]);
  expect(rows.at(-1)?.reason).toBe('You can upload up to 20 files at once.');
});
