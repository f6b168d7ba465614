import { expect, it } from 'vitest';
import { isHiddenPath } from './hidden-files.ts';

it.each(['.DS_Store', 'trip/.DS_Store', 'Thumbs.db', 'trip/desktop.ini', '__MACOSX/trip/._a.png', '.git/a.png'])(
  'hides %s',
  (path) => expect(isHiddenPath(path)).toBe(true),
);

it.each(['a.png', 'trip/day 1/a.png', './a.png', '../a.png', 'my.DS_Store.png', 'thumbs.db.png'])('shows %s', (path) =>
  expect(isHiddenPath(path)).toBe(false),
);
