import { expect, it } from 'vitest';
import { formatColumns, parseColumns } from './use-table.ts';

const columns = ['account', 'plan', 'status'];

it('shows all columns without a parameter', () => {
  expect(parseColumns(columns, null)).toEqual(columns);
  expect(formatColumns(columns, columns)).toBeUndefined();
});

it('shows the named columns in the order of the table, always with the first one', () => {
  expect(parseColumns(columns, 'status,account')).toEqual(['account', 'status']);
  expect(parseColumns(columns, 'status,secret')).toEqual(['account', 'status']);
  expect(parseColumns(columns, '')).toEqual(['account']);
});

it('formats what it parses', () => {
  for (const shown of [['account'], ['account', 'status']])
    expect(parseColumns(columns, formatColumns(columns, shown) ?? null)).toEqual(shown);
});
