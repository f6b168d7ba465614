import { expect, it } from 'vitest';
import { quotaText } from './account-card.tsx';

const resetsAt = '2026-12-01T12:00:00.000Z';
const ai = { meter: 'ai', included: 10, granted: 5, used: 3, left: 12, resetsAt } as const;

it('includes granted units, and groups large numbers', () => {
  expect(quotaText(ai)).toBe('3 of 15 AI images');
  expect(quotaText({ meter: 'shared', included: 25_000, granted: 0, used: 26_000, left: 0, resetsAt })).toBe(
    '26,000 of 25,000 images',
  );
});
