import { expect, it } from 'vitest';
import { toastOffset } from './toaster.tsx';

const room = { width: 1_440, height: 900 };
const bar = { top: 700, bottom: 850, right: 1_290 };

it.each([
  ['no bar', [], 0],
  ['a bar in the corner', [bar], 200],
  ['a bar higher up', [{ ...bar, top: 500, bottom: 650 }], 0],
  ['a bar below the window', [{ ...bar, top: 950, bottom: 1_100 }], 0],
  ['a bar beside it', [{ ...bar, right: 1_000 }], 0],
  ['two bars, one above the other', [{ ...bar, top: 560, bottom: 690 }, bar], 340],
  ['a bar that leaves no room above', [{ ...bar, top: 100 }], 0],
])('%s: %#', (_, bars, clear) => expect(toastOffset(bars, room)).toBe(clear));
