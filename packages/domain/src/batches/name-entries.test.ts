import { describe, expect, it } from 'vitest';
import { safeFolder, safeSegment } from './name-entries.ts';

describe('safeFolder', () => {
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
    expect(safeFolder(path, name)).toBe(folder);
  });
});

describe('safeSegment', () => {
  it('keeps the extension of a shortened name', () => {
    const name = safeSegment(`${'名'.repeat(300)}.png`);
    expect([...name]).toHaveLength(120);
    expect(name.endsWith('.png')).toBe(true);
  });

  it.each(['..', '...', ' . ', '\u0000', '\u200b'])('returns an empty name for %j', (text) => {
    expect(safeSegment(text)).toBe('');
  });
});
