import { expect, it } from 'vitest';
import { describeSummary, formatBar, withProgressBar } from '../commands/open-run.ts';
import type { Item } from '../files/plan-items.ts';
import type { Reporter } from '../processing/run-items.ts';
import { formatBytes, formatSeconds, formatTable } from './format.ts';

const item = { path: '/in/b.jpg' } as Item;

it('shows the progress of all images and of the running ones', () => {
  const bar = formatBar({ settled: 1, total: 3, running: new Map([[item, 50]]) }, 80);
  expect(bar).toBe('[############------------] 1/3 b.jpg 50%');
  expect(formatBar({ settled: 0, total: 0, running: new Map() }, 20)).toHaveLength(19);
});

it('draws the progress bar below the lines', () => {
  let screen = '';
  const inner: Reporter = {
    begin: () => undefined,
    progress: () => undefined,
    finish: () => {
      screen += 'b.jpg done\n';
    },
    end: () => {
      screen += 'end\n';
    },
  };
  const terminal = {
    columns: 80,
    write: (text: string) => {
      screen += text;
    },
  };
  const reporter = withProgressBar(inner, terminal);
  reporter.begin(1);
  reporter.progress(item, 10);
  reporter.finish(item, { kind: 'skipped', output: 'b.jpg' });
  reporter.end({ done: 0, skipped: 1, failed: 0, left: 0, charged: 0 });
  const shown = screen.split('\n').map((line) => line.slice(line.lastIndexOf('\x1b[K') + 3));
  expect(shown).toEqual(['b.jpg done', 'end', '']);
});

it('pads columns to their widest cell', () => {
  const rows = [
    ['Image', 'Credits', ''],
    ['a.png', '10', 'ai'],
  ];
  expect(formatTable(rows)).toBe('Image  Credits\na.png       10  ai');
});

it('formats sizes, times, and summaries', () => {
  expect([formatBytes(12), formatBytes(1_536), formatBytes(5 * 1024 ** 2)]).toEqual(['12 Bytes', '1.5 KB', '5.0 MB']);
  expect([formatSeconds(0.2), formatSeconds(61), formatSeconds(600)]).toEqual(['1 s', '61 s', '10 min']);
  expect(describeSummary({ done: 1_000, skipped: 0, failed: 2, left: 1, charged: 1 })).toBe(
    '1,000 done, 2 failed, 1 left; 1 credit charged.',
  );
});
