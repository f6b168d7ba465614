import { expect, test } from 'vitest';
import { progressPrinter } from './progress-printer.ts';
import type { PullProgress } from './pull-model.ts';

const steps: PullProgress[] = [
  { stage: 'download', doneBytes: 1_000_000, totalBytes: 4_000_000 },
  { stage: 'download', doneBytes: 1_010_000, totalBytes: 4_000_000 },
  { stage: 'download', doneBytes: 4_000_000, totalBytes: 4_000_000 },
  { stage: 'convert' },
];

function print(isTTY: boolean, progress: PullProgress[]): string {
  const written: string[] = [];
  const printer = progressPrinter('photo', { isTTY, write: (text) => written.push(text) });
  for (const step of progress) printer(step);
  return written.join('');
}

test('prints lines at quarters and stages', () => {
  expect(print(false, steps)).toBe('photo: 25% of 4.0 MB\nphoto: 100% of 4.0 MB\nphoto: converting\n');
});

test('redraws one line on a terminal', () => {
  expect(print(true, steps)).toBe(
    `\rphoto [${'#'.repeat(8)}${'.'.repeat(22)}] 1.0 of 4.0 MB, 25%` +
      `\rphoto [${'#'.repeat(30)}] 4.0 of 4.0 MB, 100%` +
      '\nphoto: converting\n',
  );
});

test('prints no empty line for a conversion without a download', () => {
  expect(print(true, [{ stage: 'convert' }])).toBe('photo: converting\n');
});
