import { describe, expect, it } from 'vitest';
import { formatMetricChange, formatNumber } from './metric-card.tsx';

describe('numbers of analytics', () => {
  it('are written by their kind, with a dash for none', () => {
    expect(formatNumber(1_234, 'count')).toBe('1,234');
    expect(formatNumber(1.26, 'average')).toBe('1.3');
    expect(formatNumber(0.029, 'hours')).toBe('0.03');
    expect(formatNumber(58.333_3, 'amount')).toBe('$58.33');
    expect([0, 0.002_341, 0.5, 1.875].map((value) => formatNumber(value, 'cost'))).toEqual([
      '$0',
      '$0.00234',
      '$0.50',
      '$1.88',
    ]);
    expect(formatNumber(0.125, 'share')).toBe('12.5%');
    expect(formatNumber(4_100, 'time')).toBe('4.1 s');
    expect(formatNumber(null, 'time')).toBe('-');
  });
});

describe('the change since the period before', () => {
  it.each([
    [{ value: 112, previous: 100 }, '+12%'],
    [{ value: 50, previous: 100 }, '-50%'],
    [{ value: 100, previous: 100 }, '0%'],
    [{ value: 5, previous: 0 }, '-'],
    [{ value: null, previous: 5 }, '-'],
    [{ value: 5, previous: null }, '-'],
  ])('of %o is %s', (metric, text) => {
    expect(formatMetricChange(metric)).toBe(text);
  });
});
