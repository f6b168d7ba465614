import { articleLimits } from '@uprez/contracts/policy/articles';
import { describe, expect, it } from 'vitest';
import { findProblem, parseMarkdown } from './parse.ts';

describe('findProblem', () => {
  it.each([
    ['a block', 'a\n\n<div class="note">b</div>', 3],
    ['a tag in a line', 'a <kbd>Ctrl</kbd> b', 1],
    ['a line break in a table', '| a |\n| --- |\n| x<br>y |', 3],
    ['a comment', 'a <!-- c --> b', 1],
    ['details', 'a\n\n- b\n\n  <details>', 5],
  ])('rejects HTML: %s', (_case, text, line) => {
    expect(findProblem(text)).toEqual({ message: `HTML isn't supported. Remove the tag on line ${line}.`, line });
  });

  it('rejects footnotes', () => {
    const message = "Footnotes aren't supported. Remove the footnote on line 1.";
    expect(findProblem('a[^1]\n\n[^1]: b')).toEqual({ message, line: 1 });
    expect(findProblem('a\n\n[^1]: b')).toMatchObject({ line: 3 });
  });

  it('rejects unknown placeholders, except in code', () => {
    const message = "{{plans.gold.price}} isn't a known value. Correct or remove it on line 2.";
    expect(findProblem('a\n{{plans.gold.price}}')).toMatchObject({ line: 1 });
    expect(findProblem('{{plans.pro.price}} a\n\n{{ }}')).toMatchObject({ line: 3 });
    expect(findProblem('# a\n{{plans.gold.price}}')).toEqual({ message, line: 2 });
    for (const known of [
      '{{plans.pro.price}}',
      '{{ plans.api_basic.images }}',
      '`{{x}}`',
      '```\n{{x}}\n```',
      '{{',
      '{x}',
    ])
      expect(findProblem(known)).toBeUndefined();
  });

  it('accepts a tree', () => {
    expect(findProblem(parseMarkdown('# a\n\n<b>'))).toMatchObject({ line: 3 });
  });
});

/** The same container or mark inside of itself, `levels` times. */
const nestings: [string, (levels: number) => string][] = [
  ['lists on a line', (levels) => `${'- '.repeat(levels)}a`],
  ['numbered lists on a line', (levels) => `${'1. '.repeat(levels)}a`],
  ['quotes', (levels) => `${'>'.repeat(levels)} a`],
  ['quoted lists', (levels) => `${'> - '.repeat(Math.ceil(levels / 2))}a`],
  ['indented lists', (levels) => Array.from({ length: levels }, (_, level) => `${'  '.repeat(level)}- a`).join('\n')],
  ['lists indented by 4', (levels) => Array.from({ length: levels }, (_, n) => `${'    '.repeat(n)}-   a`).join('\n')],
  ['lists indented by tabs', (levels) => Array.from({ length: levels }, (_, n) => `${'\t'.repeat(n)}-\ta`).join('\n')],
  [
    'lists after lazy lines',
    (levels) => Array.from({ length: levels }, (_, level) => `${'  '.repeat(level)}- a\nb`).join('\n'),
  ],
  ['emphasis', (levels) => `${'*a _b '.repeat(levels / 2)}c${' d_ e*'.repeat(levels / 2)}`],
  ['strong text', (levels) => `${'*'.repeat(2 * levels)}a${'*'.repeat(2 * levels)}`],
];

describe('nesting', () => {
  it.each(nestings)(`accepts ${articleLimits.nesting} levels and rejects more: %s`, (_case, make) => {
    expect(findProblem(make(articleLimits.nesting))).toBeUndefined();
    for (const levels of [articleLimits.nesting + 2, 100, 1_000])
      expect(findProblem(make(levels))?.message).toMatch(
        /^Lists, quotes, and formatting can't be nested more than 30 /,
      );
  });

  it('names the line', () => {
    const { message, line } = findProblem(`a\n\n${'> '.repeat(31)}a`) ?? {};
    expect([message, line]).toEqual([expect.stringMatching(/ Simplify line 3\.$/), 3]);
    expect(findProblem(`a\r\n\r${'> '.repeat(1_000)}a`)).toMatchObject({ line: 3 });
  });

  it('of brackets is limited, too', () => {
    expect(findProblem(`${'['.repeat(1_000)}${']'.repeat(1_000)}`)).toBeUndefined();
    expect(findProblem('[a\n'.repeat(1_001))).toMatchObject({ line: 1_001 });
    expect(findProblem('[a\n\n'.repeat(1_001))).toBeUndefined();
  });

  it('throws for a text that is too deep for the parser', () => {
    expect(() => parseMarkdown('- '.repeat(40_000))).not.toThrow();
    expect(() => parseMarkdown(`${'- '.repeat(40_000)}a`)).toThrow(/levels deep/);
  });

  it('is not found in rules and code', () => {
    for (const text of ['- '.repeat(200), `* ${'* '.repeat(200)}`, `\`\`\`\n${' '.repeat(500)}a\n\`\`\``])
      expect(findProblem(text)).toBeUndefined();
  });
});

const largest = (part: string) => part.repeat(Math.floor(articleLimits.contentBytes / part.length));

it.each([
  ['list items', largest('- a\n')],
  ['nested lists', largest('- a\n  - b\n    - c\n      - d\n')],
  ['lists of all levels', largest(Array.from({ length: 29 }, (_, n) => `${'  '.repeat(n)}- a\n`).join(''))],
  ['lists on each line', largest(`${'- '.repeat(29)}a\n`)],
  ['indented lists', largest(`${' '.repeat(58)}- a\n`)],
  ['quoted lists', largest(`${'> - '.repeat(15)}a\n`)],
  ['loose lists', largest('1. a\n\n   b\n\n')],
  ['tables', `| a |\n| - |\n${largest('| b |\n').slice(20)}`],
  ['brackets', largest('[')],
  ['brackets in pairs', largest('[a](b) ')],
  ['nested brackets', `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
  ['stars', largest('*')],
  ['open emphasis', largest('*a _b ')],
  ['backticks', Array.from({ length: 400 }, (_, n) => '`'.repeat(n)).join(' ')],
  ['tags', largest('<a ')],
  ['entities', largest('&amp;')],
  ['links', largest('https://x.test ')],
])('parses 100 kB of %s', (_case, text) => {
  // The result doesn't matter here, only that there is one.
  expect(() => findProblem(text)).not.toThrow();
});
