import { expect, it } from 'vitest';
import { assignSeriesColors } from './day-plot.tsx';

it('shows failures in red, and nothing else', () => {
  expect(assignSeriesColors([{ key: 'web' }, { key: 'api' }, { key: 'failed' }])).toEqual([
    'var(--ink)',
    'var(--edge)',
    'var(--failed)',
  ]);
  expect(assignSeriesColors([{ key: 'calls' }, { key: 'errors' }, { key: 'units' }])).toEqual([
    'var(--ink)',
    'var(--failed)',
    'var(--edge)',
  ]);
});
