import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testSeed } from '@uprez/testing/random';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openJournal } from './open-output-folder.ts';
import { type FoundImage, planItems } from './plan-items.ts';

const found = (path: string, base: string): FoundImage => ({
  ...{ path: `/home/${path}`, root: base.split('/').at(-1) ?? '', sizeBytes: 1, version: 1 },
  relative: path.slice(base.length + 1).replace(/\.\w+$/, ''),
});
const stems = (...images: FoundImage[]) => planItems(images, { settings: {} }).map(({ stem }) => stem);

it('keeps names and subfolders', () => {
  expect(stems(found('in/a.png', 'in'), found('in/deep/a.png', 'in'))).toEqual(['a', 'deep/a']);
});

it('adds the folder or the extension to duplicate names', () => {
  expect(stems(found('one/x.png', 'one'), found('two/x.png', 'two'))).toEqual(['x', 'two/x']);
  expect(stems(found('one/x.jpg', 'one'), found('one/X.png', 'one'))).toEqual(['x', 'X-png']);
});

it('assigns unique paths to any set of images', () => {
  const name = fc.constantFrom('a', 'A', 'a-png', 'b/a', 'one/a', 'ä', 'a\u0308', 'one/a-png', 'one/a-2');
  const image = fc.record({
    base: fc.constantFrom('one', 'two', 'x/one'),
    name,
    extension: fc.constantFrom('png', 'jpg'),
  });
  fc.assert(
    fc.property(fc.uniqueArray(image, { selector: (one) => JSON.stringify(one) }), (images) => {
      const all = stems(
        ...images.map(({ base, name: stem, extension }) => found(`${base}/${stem}.${extension}`, base)),
      );
      expect(new Set(all.map((stem) => stem.normalize('NFC').toLowerCase())).size).toBe(all.length);
    }),
    { seed: testSeed },
  );
});

it('keeps the path of an earlier run', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'uprez-plan-'));
  const journal = await openJournal(join(folder, 'journal.jsonl'));
  const second = found('two/x.png', 'two');
  const [item] = planItems([second], { settings: {}, journal });
  await journal.append({ key: item?.key ?? '', output: 'x.jpg', bytes: 3 });
  const items = planItems([found('one/x.png', 'one'), second], { settings: {}, journal });
  expect(items.map(({ stem }) => stem)).toEqual(['one/x', 'x']);
  await rm(folder, { recursive: true });
});

it('changes the key with the settings and the file', () => {
  const image = found('a.png', '');
  const keys = [
    ...planItems([image], { settings: { scale: '2' } }),
    ...planItems([image], { settings: { scale: '4' } }),
    ...planItems([{ ...image, version: 2 }], { settings: { scale: '2' } }),
  ].map(({ key }) => key);
  expect(new Set(keys).size).toBe(3);
});
