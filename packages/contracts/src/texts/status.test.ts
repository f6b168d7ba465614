import { expect, it } from 'vitest';
import { formatCoverage } from './status.ts';

it.each([
  [0.0004, 'less than 1%'],
  [0.379, '37%'],
  [1, '100%'],
])('formatCoverage(%d) -> %s', (share, text) => expect(formatCoverage(share)).toBe(text));
