import { expect, it } from 'vitest';
import { isCancelCharged } from './is-cancel-charged.ts';

const until = '2026-11-23T12:00:10.000Z';
const at = (time: string) => isCancelCharged({ freeCancelUntil: until }, Date.parse(time));

it('is charged from shortly before the end of the free time', () => {
  expect(at('2026-11-23T12:00:06.000Z')).toBe(false);
  expect(at('2026-11-23T12:00:08.000Z')).toBe(true);
  expect(at('2026-11-23T12:01:00.000Z')).toBe(true);
});

it('is free for jobs that are not processing', () => {
  expect(isCancelCharged({})).toBe(false);
});
