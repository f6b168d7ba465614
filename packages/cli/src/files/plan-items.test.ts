import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Found } from './find-images.ts';
import { openJournal } from './journal.ts';
import { planItems } from './plan-items.ts';

const found = (path: string, base: string): Found => ({
  ...{ path: `/home/${path}`, root: base.split('/').at(-1) ?? '', sizeBytes: 1, modifiedMs: 1 },
  relative: path.slice(base.length + 1).replace(/\.\w+$/, ''),
});
const stems = (...images: Found[]) => planItems(images, { settings: {} }).map(({ stem }) => stem);

it('keeps names and folders', () => {
  expect(stems(found('in/a.png', 'in'), found('in/deep/a.png', 'in'))).toEqual(['a', 'deep/a']);
});

it('tells namesakes apart by their folder, or by their ending where that is the same', () => {
  expect(stems(found('one/x.png', 'one'), found('two/x.png', 'two'))).toEqual(['x', 'two/x']);
  expect(stems(found('one/x.jpg', 'one'), found('one/X.png', 'one'))).toEqual(['x', 'X-png']);
});

it('gives no two images one place, whatever they are called', () => {
  const name = fc.constantFrom('a', 'A', 'a-png', 'b/a', 'one/a', 'ä', 'a\u0308', 'one/a-png', 'one/a-2');
  const image = fc.record({
    base: fc.constantFrom('one', 'two', 'x/one'),
    name,
    ending: fc.constantFrom('png', 'jpg'),
  });
  fc.assert(
    fc.property(fc.uniqueArray(image, { selector: (one) => JSON.stringify(one) }), (images) => {
      const all = stems(...images.map(({ base, name: stem, ending }) => found(`${base}/${stem}.${ending}`, base)));
      expect(new Set(all.map((stem) => stem.normalize('NFC').toLowerCase())).size).toBe(all.length);
    }),
  );
});

it('what an image got before it keeps, and its namesake goes around it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'uprez-plan-'));
  const journal = await openJournal(join(folder, 'journal.jsonl'));
  const second = found('two/x.png', 'two');
  const [item] = planItems([second], { settings: {}, journal });
  await journal.note({ key: item?.key ?? '', output: 'x.jpg', bytes: 3 });
  const items = planItems([found('one/x.png', 'one'), second], { settings: {}, journal });
  expect(items.map(({ stem }) => stem)).toEqual(['one/x', 'x']);
  await rm(folder, { recursive: true });
});

it('other settings or another file are another item', () => {
  const image = found('a.png', '');
  const keys = [
    ...planItems([image], { settings: { scale: '2' } }),
    ...planItems([image], { settings: { scale: '4' } }),
    ...planItems([{ ...image, modifiedMs: 2 }], { settings: { scale: '2' } }),
  ].map(({ key }) => key);
  expect(new Set(keys).size).toBe(3);
});
