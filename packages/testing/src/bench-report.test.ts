import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { compareGoals, formatTable, saveBlock } from './bench-report.ts';

function makeFolder(pages: Record<string, string>) {
  const folder = mkdtempSync(path.join(tmpdir(), 'uprez-report-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(pages)) writeFileSync(path.join(folder, name), text);
  return { folder, read: (name: string) => readFileSync(path.join(folder, name), 'utf8') };
}
const block = (name: string, text: string) => `<!-- bench:${name} -->\n${text}\n<!-- /bench:${name} -->`;
const page = (text: string) =>
  `# Results\n\n${block('claims 1000', text)}\n\nHow to read it.\n\n${block('claims 1000 fsync', 'kept')}\n`;

it('replaces exactly the block of the bench and keeps all other text and pages', () => {
  const { folder, read } = makeFolder({ 'other.md': page('old').replaceAll('1000', '10'), 'results.md': page('old') });
  const other = read('other.md');
  saveBlock(folder, 'claims 1000', 'new $& lines\nof the table');
  expect(read('results.md')).toBe(page('new $& lines\nof the table'));
  expect(read('other.md')).toBe(other);
  saveBlock(folder, 'claims 1000', 'old');
  expect(read('results.md')).toBe(page('old'));
});

it.each([
  ['no page has the markers', '# Results\n'],
  ['only the opening marker exists', '# Results\n<!-- bench:mail -->\n'],
  ['only the closing marker exists', '# Results\n<!-- /bench:mail -->\n'],
  ['the closing marker stands first', '<!-- /bench:mail -->\n<!-- bench:mail -->\n'],
])('throws an error that names the markers and changes nothing when %s', (_, text) => {
  const { folder, read } = makeFolder({ 'results.md': text });
  expect(() => saveBlock(folder, 'mail', 'new')).toThrow(
    `No page in ${folder} has <!-- bench:mail --> and <!-- /bench:mail -->. Add both lines to the page`,
  );
  expect(read('results.md')).toBe(text);
});

it('formats figures with their goals as a Markdown table', () => {
  const rows = compareGoals({
    'search, p95': { value: 17.25, unit: 'ms', median: 9.7, atMost: 50 },
    'events per second': { value: 0.4321, atLeast: 0.5 },
    users: { value: 99_990 },
    'page, p95': { value: Number.NaN, atMost: 30, unit: 'ms' },
    error: { value: 84, atMost: 30, unit: '%' },
  });
  expect(formatTable(rows).split('\n')).toEqual([
    '| | measured | goal | result |',
    '|---|---|---|---|',
    '| search, p95 | 17.3 ms (median: 9.7 ms) | at most 50 ms | met |',
    '| events per second | 0.432 | at least 0.5 | missed |',
    '| users | 99,990 | | |',
    '| page, p95 | not measured | at most 30 ms | missed |',
    '| error | 84% | at most 30% | missed |',
  ]);
});

it('leaves cells empty in columns that a row lacks', () => {
  expect(formatTable({ 'one call': { p50: 1.5, p95: 1234.5 }, 'a | b': { p95: 2 } }).split('\n')).toEqual([
    '| | p50 | p95 |',
    '|---|---|---|',
    '| one call | 1.5 | 1,235 |',
    '| a \\| b | | 2 |',
  ]);
});
