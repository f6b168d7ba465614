import { expect, it } from 'vitest';
import { keptBytes } from '../list/kept-files.ts';
import type { Row } from '../list/row.ts';
import { wouldLose } from './guard-unsent.ts';

const row = (more: Partial<Row> = {}): Row => ({
  ...{ id: 'x', name: 'a.png', relativePath: 'a.png', size: 1, file: new File(['1'], 'a.png') },
  ...{ status: 'pending', sent: 0, progress: 0 },
  ...more,
});
const list = (rows: Row[], more = {}) => ({ rows, keeps: true, signedOut: false, ...more });

it('lets go of what comes back, and holds what does not', () => {
  const large = row({ file: Object.defineProperty(new File([], 'a.png'), 'size', { value: keptBytes + 1 }) });
  expect(wouldLose(list([row()]))).toBe(false);
  expect(wouldLose(list([large]))).toBe(true);
  expect(wouldLose(list([row()], { keeps: false }))).toBe(true);
  expect(wouldLose(list([row({ status: 'completed' })], { keeps: false }))).toBe(false);
  expect(wouldLose(list([row({ status: 'uploading' })]))).toBe(true);
  expect(wouldLose(list([row({ status: 'uploading' })], { signedOut: true }))).toBe(false);
});
