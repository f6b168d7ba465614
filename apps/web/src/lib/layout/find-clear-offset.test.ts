import { expect, it } from 'vitest';
import { findClearOffset } from './find-clear-offset.ts';

const room = { box: { left: 1_020, right: 1_440, height: 140 }, height: 900, start: 0 };
const bar = { top: 700, bottom: 850, left: 900, right: 1_290 };

it.each([
  ['no obstacle', [], 0],
  ['a bar in the corner', [bar], 200],
  ['a bar higher up', [{ ...bar, top: 500, bottom: 650 }], 0],
  ['a bar below the window', [{ ...bar, top: 950, bottom: 1_100 }], 0],
  ['a bar beside it', [{ ...bar, right: 1_000 }], 0],
  ['two bars, one above the other', [{ ...bar, top: 560, bottom: 690 }, bar], 340],
  ['a bar that leaves no room above', [{ ...bar, top: 100 }], 0],
])('returns the distance from the bottom for %s: %#', (_, obstacles, offset) =>
  expect(findClearOffset({ ...room, obstacles, from: 'bottom' })).toBe(offset),
);

const phone = { box: { left: 0, right: 360, height: 100 }, height: 740, start: 56 };
const button = { top: 120, bottom: 164, left: 16, right: 344 };

it.each([
  ['no obstacle', [], 56],
  ['a button that it would cover', [button], 164],
  ['a button below it', [{ ...button, top: 156, bottom: 200 }], 56],
  ['a button that scrolled away', [{ ...button, top: -60, bottom: -16 }], 56],
  ['two buttons with room between them', [button, { ...button, top: 264, bottom: 308 }], 164],
  ['two buttons without room between them', [button, { ...button, top: 250, bottom: 294 }], 294],
])('returns the distance from the top for %s: %#', (_, obstacles, offset) =>
  expect(findClearOffset({ ...phone, obstacles, from: 'top' })).toBe(offset),
);
