import { expect, it } from 'vitest';
import { findBlocker } from './find-blocker.ts';
import type { Row } from './row.ts';

const row = (more: Partial<Row>): Row => ({
  ...{ id: 'a', name: 'a.png', relativePath: 'a.png', size: 1, sent: 0, progress: 0 },
  ...{ status: 'pending', file: new File(['x'], 'a.png') },
  ...more,
});

it.each([
  [undefined, row({})],
  [undefined, row({ status: 'processing' })],
  ['noImages', row({ status: 'rejected' })],
  ['filesNeeded', row({ file: undefined })],
  ['finished', row({ status: 'completed' })],
] as const)('returns %s for a list with one row', (blocker, only) =>
  expect(findBlocker({ rows: [only], starting: false })).toBe(blocker),
);
