import { describe, expect, it } from 'vitest';
import { nameEntries, parseNaming, toSafeFolder, toSafeSegment, truncateText } from './name-entries.ts';

describe('toSafeFolder', () => {
  it.each([
    ['holiday/day 1/a.jpg', 'a.jpg', 'holiday/day 1'],
    ['holiday/day 1', 'a.jpg', 'holiday/day 1'],
    ['holiday/day 1/', 'a.jpg', 'holiday/day 1'],
    ['a.jpg', 'a.jpg', ''],
    ['', 'a.jpg', ''],
    ['../../etc/a.jpg', 'a.jpg', 'etc'],
    ['/etc/cron.d/a.jpg', 'a.jpg', 'etc/cron.d'],
    ['C:\\Windows\\System32\\a.jpg', 'a.jpg', 'Windows/System32'],
    ['\\\\server\\share\\a.jpg', 'a.jpg', 'server/share'],
    ['./x/./y/.. /z', 'a.jpg', 'x/y/z'],
    ['x\u0000/y\u202e', 'a.jpg', 'x/y'],
    ['con/nul.txt/COM1', 'a.jpg', '_con/_nul.txt/_COM1'],
    ['a:b/c*d', 'a.jpg', 'a_b/c_d'],
    [`${'d/'.repeat(50)}a.jpg`, 'a.jpg', Array(20).fill('d').join('/')],
  ])('(%j, %j) returns %j', (path, name, folder) => {
    expect(toSafeFolder(path, name)).toBe(folder);
  });
});

describe('nameEntries', () => {
  const entryOf = (filename: string, relativePath: string) => ({
    ...{ name: filename, filename, relativePath, factor: 2, width: 1, height: 1, index: 1, ext: 'png' },
  });
  // The gateway answers nobody else meanwhile. The longest name and path took 0.5 s in a batch of 100 images.
  it.each(['漢', '🇩', 'a\u0301', 'a\u200d', '\u200b', 'a/'])(
    'names 100 images with names of %j within 200 ms of CPU time',
    (text) => {
      const fill = (length: number) => text.repeat(length / text.length);
      const entries = Array.from({ length: 100 }, () => entryOf(fill(250), fill(1_000)));
      const name = () => {
        const start = process.cpuUsage();
        nameEntries(entries, '{name}'.repeat(33));
        return process.cpuUsage(start).user / 1_000;
      };
      expect(Math.min(name(), name(), name())).toBeLessThan(200);
    },
  );
});

describe('toSafeSegment', () => {
  it('keeps the extension of a shortened name', () => {
    const name = toSafeSegment(`${'a'.repeat(300)}.png`);
    expect(name).toBe(`${'a'.repeat(116)}.png`);
  });

  it('shortens a name to the bytes that file systems allow', () => {
    const name = toSafeSegment(`${'名'.repeat(300)}.png`);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(240);
    expect(name).toMatch(/^名+\.png$/);
  });

  it.each(['👨‍👩‍👧.png', '❤️.png', '🏴󠁧󠁢󠁷󠁬󠁳󠁿 1️⃣.png', '🏳️‍🌈👍🏽.png'])('keeps the emoji of %s', (name) => {
    expect(toSafeSegment(name)).toBe(name);
  });

  it('removes invisible characters that belong to no emoji', () => {
    expect(toSafeSegment('a\u200db\ufe0f\u{e0041}.png')).toBe('ab.png');
  });

  it.each(['..', '...', ' . ', '\u0000', '\u200b'])('returns an empty name for %j', (text) => {
    expect(toSafeSegment(text)).toBe('');
  });
});

describe('nameEntries', () => {
  const facts = { factor: 2, width: 20, height: 20, index: 1, ext: 'png', relativePath: '', filename: 'a.jpg' };
  const [named, numbered] = [parseNaming(), parseNaming('{name} {index} {name}.{ext}')];

  it('leaves the factor out at the same scale, unless the pattern has it', () => {
    const same = { ...facts, name: 'a', factor: 1 };
    expect(nameEntries([same, { ...same, factor: 2 }], named)).toEqual(['a.png', 'a-2x.png']);
    expect(nameEntries([same], parseNaming('{factor}x {name}'))).toEqual(['1x a.png']);
  });

  it('shortens the name, and keeps the suffix', () => {
    const [path = ''] = nameEntries([{ ...facts, name: 'n'.repeat(200) }], named);
    expect(path).toBe(`${'n'.repeat(113)}-2x.png`);
    const [twice = ''] = nameEntries([{ ...facts, name: '名'.repeat(200) }], numbered);
    expect(twice).toMatch(/^(名+) 1 \1\.png$/);
    expect(Buffer.byteLength(twice)).toBeLessThanOrEqual(240);
  });

  it('does not split an emoji', () => {
    const [path = ''] = nameEntries([{ ...facts, name: '👨‍👩‍👧'.repeat(60) }], named);
    expect(path).toMatch(/^(👨‍👩‍👧)+-2x\.png$/u);
    expect(truncateText('a👨‍👩‍👧', { bytes: 10 })).toBe('a');
  });
});
