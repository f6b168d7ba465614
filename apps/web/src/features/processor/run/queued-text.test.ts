import { expect, it } from 'vitest';
import { queuedText } from './queued-text.ts';

it('says the place in the queue and when the job starts, as far as they are known', () => {
  expect(queuedText(undefined)).toBe('Queued');
  expect(queuedText({})).toBe('Queued');
  expect(queuedText({ queuePosition: 0, waitSeconds: 0 })).toBe('Next in the queue');
  expect(queuedText({ queuePosition: 0, waitSeconds: 12 })).toBe('Next in the queue · starts in about 10 s');
  expect(queuedText({ queuePosition: 3, waitSeconds: 130 })).toBe('3 images ahead of yours · starts in about 2 min');
  expect(queuedText({ queuePosition: 1 })).toBe('1 image ahead of yours');
});
