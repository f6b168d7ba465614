import { limits } from '@uprez/contracts/policy/limits';
import { describe, expect, it } from 'vitest';
import { addToList, isHiddenPath, moveExtraToList, relativePathOf } from './add-to-list.ts';

const file = (name: string, text = 'x', relativePath?: string) =>
  Object.assign(new File([text], name), { ...(relativePath && { relativePath }) });
const files = (count: number, prefix = 'a') =>
  Array.from({ length: count }, (_, index) => file(`${prefix}${index}.png`));
const none = { rows: [], extraFiles: [] };
const names = (rows: readonly { name: string }[]) => rows.map(({ name }) => name);

describe('addToList', () => {
  it('creates rows with their path in the folder', () => {
    const { rows, cut } = addToList(none, { accepted: [file('b.png', 'xy', '/trip/day 1/b.png')], refused: [] });
    expect(rows).toMatchObject([
      { name: 'b.png', size: 2, relativePath: 'trip/day 1/b.png', status: 'pending', sent: 0, progress: 0 },
    ]);
    expect(cut).toBe(0);
    expect(['./a.png', 'a.png', '/x/a.png'].map((path) => relativePathOf(file('a.png', '', path)))).toEqual([
      'a.png',
      'a.png',
      'x/a.png',
    ]);
  });
  it('sorts rows by path in natural order', () => {
    const paths = ['b/2.png', 'a/10.png', 'b/1.png', 'a/9.png'];
    const accepted = paths.map((path) => file(path.slice(2), 'x', path));
    expect(addToList(none, { accepted, refused: [] }).rows.map(({ relativePath }) => relativePath)).toEqual([
      'a/9.png',
      'a/10.png',
      'b/1.png',
      'b/2.png',
    ]);
  });
  it('adds the first 100 files and keeps the others apart', () => {
    const first = addToList(none, { accepted: files(60), refused: [] });
    const { rows, extraFiles, cut } = addToList(first, { accepted: files(52, 'b'), refused: [] });
    expect(rows).toHaveLength(limits.batchItems);
    expect(names(rows).slice(58, 62)).toEqual(['a58.png', 'a59.png', 'b0.png', 'b1.png']);
    expect(cut).toBe(12);
    expect(names(extraFiles)).toEqual(names(files(52, 'b').slice(40)));
  });
  it('moves extra files to the list as far as they fit', () => {
    const { rows, extraFiles } = addToList(none, { accepted: files(112), refused: [] });
    const next = moveExtraToList({ rows: rows.slice(5), extraFiles });
    expect(next.rows).toHaveLength(limits.batchItems);
    expect(names(next.extraFiles)).toEqual(names(files(112).slice(105)));
    expect(moveExtraToList({ rows: [], extraFiles: [{ name: 'gone', size: 1, relativePath: 'gone' }] }).rows).toEqual(
      [],
    );
  });
  it('lists rejected files with their reason without counting them', () => {
    const bad = { name: 'notes.txt', size: 3, relativePath: 'notes.txt', reason: 'File type must be image/png' };
    const { rows, extraFiles } = addToList(none, { accepted: files(100), refused: [bad] });
    expect(rows).toHaveLength(101);
    expect(rows.at(-1)).toMatchObject({ status: 'rejected', error: bad.reason });
    expect(extraFiles).toEqual([]);
  });
});

describe('files dropped again after a reload', () => {
  const lost = () => {
    const { rows } = addToList(none, {
      accepted: [file('a.png', 'one', 'x/a.png'), file('a.png', 'one', 'y/a.png')],
      refused: [],
    });
    return rows.map((row, index) => ({
      ...row,
      file: undefined,
      at: { batchId: 'b', itemId: `i${index}` },
      awaitsFile: true,
    }));
  };
  it('are assigned to the row with the same name, size, and path', () => {
    const again = file('a.png', 'one', 'y/a.png');
    const { rows } = addToList({ rows: lost(), extraFiles: [] }, { accepted: [again], refused: [] });
    expect(rows).toHaveLength(2);
    expect(rows.map((row) => row.file)).toEqual([undefined, again]);
  });
  it('become new rows when anything differs', () => {
    for (const other of [
      file('a.png', 'other', 'x/a.png'),
      file('b.png', 'one', 'x/b.png'),
      file('a.png', 'one', 'z/a.png'),
    ])
      expect(addToList({ rows: lost(), extraFiles: [] }, { accepted: [other], refused: [] }).rows).toHaveLength(3);
  });
  it('are assigned one to each of two equal rows', () => {
    const [row] = lost();
    if (!row) throw new Error('no row');
    const twins = [row, { ...row, id: 'twin' }];
    const { rows } = addToList(
      { rows: twins, extraFiles: [] },
      { accepted: [file('a.png', 'one', 'x/a.png'), file('a.png', 'one', 'x/a.png')], refused: [] },
    );
    expect(rows.map((found) => found.file !== undefined)).toEqual([true, true]);
  });
});

it.each(['.DS_Store', 'trip/.DS_Store', 'Thumbs.db', 'trip/desktop.ini', '__MACOSX/trip/._a.png', '.git/a.png'])(
  'hides %s',
  (path) => expect(isHiddenPath(path)).toBe(true),
);

it.each(['a.png', 'trip/day 1/a.png', './a.png', '../a.png', 'my.DS_Store.png', 'thumbs.db.png'])('shows %s', (path) =>
  expect(isHiddenPath(path)).toBe(false),
);
