import { makePlanCards } from '@uprez/contracts/policy/plan-cards';
import { plans } from '@uprez/contracts/policy/plans';
import { expect, it } from 'vitest';
import { makeComparison } from './comparison-rows.ts';

const cards = makePlanCards();
const row = (name: string, of = cards) =>
  makeComparison(of)
    .flatMap(({ rows }) => rows)
    .find((found) => found.name === name)
    ?.cells.map(({ text }) => text);

it('has a cell of words for every plan in every row', () => {
  const rows = makeComparison(cards).flatMap((group) => group.rows);
  expect(rows.length).toBeGreaterThan(10);
  for (const { label, cells } of rows) {
    expect(label).not.toBe('');
    expect(cells.map(({ key }) => key)).toEqual(Object.keys(plans));
    for (const { text } of cells) expect(text).toMatch(/\S/);
  }
});

it('says what the plan table says', () => {
  expect(row('ai')).toEqual(['10', '100', '1,000, shared', '5,000, shared', '25,000, shared']);
  expect(row('factorAi')).toEqual(['4x', '8x', '8x', '128x', '128x']);
  expect(row('queue')).toEqual(['1x', '4x', '4x', '8x', '8x']);
  expect(row('upload')).toEqual(Array(5).fill('50 MB'));
});

it('names the plan that opens what another does not have', () => {
  expect(row('api')).toEqual(['From API Basic', 'From API Basic', 'Yes', 'Yes', 'Yes']);
  expect(row('uploadApi')?.[0]).toBe('From API Basic');
});

it('follows the numbers that the API tells, not those it was built with', () => {
  const changed = cards.map((card) => ({ ...card, entitlements: { ...card.entitlements, bulkFiles: 7, api: false } }));
  expect(row('batch', changed)).toEqual(Array(5).fill('7'));
  expect(row('api', changed)).toEqual(Array(5).fill('No'));
});
