import { expect, it } from 'vitest';
import { formatDateTime } from '../../../lib/format/format.ts';
import { formatDue } from './cells.tsx';

it('names the day that ends at midnight, and other times', () => {
  expect(formatDue('2026-12-01T00:00:00.000Z')).toBe('End of Monday, Nov 30 (UTC)');
  expect(formatDue('2026-12-01T14:30:00.000Z')).toBe(formatDateTime('2026-12-01T14:30:00.000Z'));
});
