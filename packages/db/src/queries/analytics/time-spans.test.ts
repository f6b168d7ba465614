import { expect, it } from 'vitest';
import { type DaySpan, splitMonths } from './time-spans.ts';

type Case = { name: string; span: DaySpan; finalUntil: string; months: DaySpan[]; days: DaySpan[] };

it.each<Case>([
  {
    name: 'days within a month',
    span: ['2026-11-03', '2026-11-20'],
    finalUntil: '2026-11-25',
    months: [],
    days: [['2026-11-03', '2026-11-20']],
  },
  {
    name: 'two parts of months',
    span: ['2026-10-02', '2026-11-30'],
    finalUntil: '2026-12-10',
    months: [],
    days: [['2026-10-02', '2026-11-30']],
  },
  {
    name: 'whole months',
    span: ['2025-12-01', '2026-03-01'],
    finalUntil: '2026-03-01',
    months: [['2025-12-01', '2026-03-01']],
    days: [],
  },
  {
    name: 'days before and after whole months',
    span: ['2025-11-28', '2026-11-28'],
    finalUntil: '2026-11-24',
    months: [['2025-12-01', '2026-11-01']],
    days: [
      ['2025-11-28', '2025-12-01'],
      ['2026-11-01', '2026-11-28'],
    ],
  },
  {
    name: 'a month that is not final',
    span: ['2026-09-01', '2026-11-02'],
    finalUntil: '2026-10-30',
    months: [['2026-09-01', '2026-10-01']],
    days: [['2026-10-01', '2026-11-02']],
  },
])('splits $name', ({ span, finalUntil, months, days }) => {
  expect(splitMonths(span, finalUntil)).toEqual({ months, days });
});
