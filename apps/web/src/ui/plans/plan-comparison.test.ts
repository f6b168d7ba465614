import { makePlanCards } from '@uprez/contracts/policy/plans/plan-cards';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { expect, it } from 'vitest';
import { makeComparison } from './plan-comparison.tsx';

const cards = makePlanCards();
const row = (label: string, of = cards) =>
  makeComparison(of)
    .flatMap(({ rows }) => rows)
    .find((found) => found.label === label)
    ?.cells.map(({ text }) => text);

it('has a text for every plan in every row', () => {
  const rows = makeComparison(cards).flatMap((group) => group.rows);
  expect(rows.length).toBeGreaterThan(10);
  for (const { label, cells } of rows) {
    expect(label).not.toBe('');
    expect(cells.map(({ key }) => key)).toEqual(Object.keys(currentPlans));
    for (const { text } of cells) expect(text).toMatch(/\S/);
  }
});

it('shows the values of the plan table', () => {
  expect(row('AI images per month')).toEqual(['10', '100', '1,000, shared', '5,000, shared', '25,000, shared']);
  expect(row('Maximum scale with AI')).toEqual(['4x', '8x', '8x', '128x', '128x']);
  expect(row('Queue priority')).toEqual(['1x', '4x', '4x', '8x', '8x']);
  expect(row('Maximum file size')).toEqual(Array(5).fill('50 MB'));
});

it('names the smallest plan with a missing feature', () => {
  expect(row('API access')).toEqual(['From API Basic', 'From API Basic', 'Yes', 'Yes', 'Yes']);
  expect(row('Maximum file size (API)')?.[0]).toBe('From API Basic');
});

it('opens the event feed and webhooks with the plans that include them', () => {
  expect(row('Event feed')).toEqual(['From API Basic', 'From API Basic', 'Yes', 'Yes', 'Yes']);
  expect(row('Webhooks (sandbox events)')).toEqual(row('Event feed'));
  expect(row('Webhooks')).toEqual(['From API Pro', 'From API Pro', 'From API Pro', 'Yes', 'Yes']);
});

it('shows the values of the API instead of the built-in plan table', () => {
  const changed = cards.map((card) => ({ ...card, entitlements: { ...card.entitlements, bulkFiles: 7, api: false } }));
  expect(row('Images per batch', changed)).toEqual(Array(5).fill('7'));
  expect(row('API access', changed)).toEqual(Array(5).fill('No'));
});
