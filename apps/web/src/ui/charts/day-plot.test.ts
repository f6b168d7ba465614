import { expect, it } from 'vitest';
import { seriesColors } from './day-plot.tsx';

it('shows failures in red, and nothing else', () => {
  expect(seriesColors([{ key: 'web' }, { key: 'api' }, { key: 'failed' }])).toEqual([
    'var(--ink)',
    'var(--edge)',
    'var(--failed)',
  ]);
  expect(seriesColors([{ key: 'calls' }, { key: 'errors' }, { key: 'units' }])).toEqual([
    'var(--ink)',
    'var(--failed)',
    'var(--edge)',
  ]);
});
