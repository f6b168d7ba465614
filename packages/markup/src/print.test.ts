import { toString as textOf } from 'mdast-util-to-string';
import { describe, expect, it } from 'vitest';
import { constructs, literals } from '../test/fixtures/constructs.ts';
import { parseMarkdown } from './parse.ts';
import { printMarkdown, sameMeaning } from './print.ts';

describe('printMarkdown', () => {
  it.each(Object.entries(constructs))('keeps the meaning of %s', (_case, text) => {
    const printed = printMarkdown(parseMarkdown(text));
    expect(sameMeaning(printed, text)).toBe(true);
    expect(printMarkdown(parseMarkdown(printed))).toBe(printed);
  });

  it.each(literals)('prints the text %s as text', (value) => {
    const printed = printMarkdown({
      type: 'root',
      children: [{ type: 'paragraph', children: [{ type: 'text', value }] }],
    });
    expect(parseMarkdown(printed)).toMatchObject({ children: [{ type: 'paragraph' }] });
    expect(textOf(parseMarkdown(printed))).toBe(value);
  });

  it('has one style', () => {
    const text = '* a\n* b\n\n_c_ __d__\n\n***\n\ne\n=\n\n~~~\nf\n~~~\n\n1) g';
    expect(printMarkdown(parseMarkdown(text))).toBe('- a\n- b\n\n*c* **d**\n\n---\n\n# e\n\n```\nf\n```\n\n1. g\n');
  });
});

describe('sameMeaning', () => {
  it.each([
    ['* a\n* b', '- a\n\n- b\n'],
    ['a &amp; b', 'a & b'],
    ['\\# a', '&#35; a'],
    ['Title\n=====', '# Title'],
    ['```ts x\n1\n```', '~~~ts\n1\n~~~'],
  ])('is true for %j and %j', (a, b) => {
    expect(sameMeaning(a, b)).toBe(true);
  });

  it.each([
    ['- a', '1. a'],
    ['1. a', '2. a'],
    ['a  \nb', 'a\nb'],
    ['*a*', '**a**'],
    ['[a](b)', '[a](c)'],
    ['- [ ] a', '- [x] a'],
    ['```ts\n1\n```', '```js\n1\n```'],
    ['| a |\n| :-- |', '| a |\n| --: |'],
    ['a\n\nb', 'a b'],
  ])('is false for %j and %j', (a, b) => {
    expect(sameMeaning(a, b)).toBe(false);
  });

  it('throws for texts that are nested too deeply', () => {
    expect(() => sameMeaning('a', `${'>'.repeat(100_000)}a`)).toThrow(/levels deep/);
  });
});
