import { sameMeaning } from '@uprez/markup/print';
import { describe, expect, it } from 'vitest';
import { schema } from './extensions.ts';
import { openRichText, printRichText } from './open-rich-text.ts';

/** The text after a round trip through the editor, or what the editor would lose. */
function roundTrip(markdown: string) {
  const opened = openRichText(markdown);
  return 'document' in opened ? printRichText(opened.document) : opened.losses;
}

const photo = '/media/0192f3a4-5b6c-7d8e-9f01-23456789abcd';
const kept = {
  images: `![A [small] "photo"](${photo})`,
  'images without alt text': `![](${photo})`,
  'images with titles': `![a](${photo} "Caption")`,
  'images in lines': `See ![a](${photo}) and **![b](${photo})**.`,
  'images in links': `[![a](${photo}) more](https://x.test)`,
  'images in lists and cells': `- ![a](${photo})\n\n| a |\n| --- |\n| ![b](${photo}) |`,
  headings: '# A\n\n## B\n\n### C',
  marks: '**b** *i* ~~s~~ `c` ***bi***',
  links: '[t](https://x.test "title") and <https://auto.test> and https://bare.test',
  'bulleted lists': '- a\n- b\n  - c\n  - d\n- e',
  'numbered lists': '3. three\n4. four',
  'task lists': '- [ ] to do\n- [x] done',
  'code blocks': '```ts\nconst a = `x` < 1;\n```',
  'code blocks without a language': '```\nplain\n```',
  'fences in code blocks': '````md\n```js\nx\n```\n````',
  'empty code blocks': '```\n```',
  quotes: '> q1\n>\n> q2',
  rules: 'a\n\n---\n\nb',
  'hard breaks': 'line one  \nline two',
  'hard breaks by a backslash': 'line one\\\nline two',
  tables: '| a | b |\n| :-- | --: |\n| 1 | 2 |',
  'bars in cells': '| a | b |\n| --- | --- |\n| x \\| y | 2 |',
  'code with bars in cells': '| a |\n| --- |\n| `x \\| y` |',
  'marks in cells': '| **a** |\n| --- |\n| [b](https://x.test) |',
  'empty cells': '| a | b |\n| --- | --- |\n|  | 2 |',
  escapes: '\\# not a heading\n\n1\\. not a list\n\n\\*not em\\*',
  entities: 'a &amp; b &copy; c',
  underscores: 'snake_case_name and 2*3*4',
  dollars: 'costs $5 and $6',
  emoji: '😀 ✓',
  quotation: 'naïve “quotes”',
  'underlined headings': 'Title\n=====',
  'blank lines': 'a\n\n\n\nb',
  comparisons: '1 < 2 and a<b',
  ampersands: 'R&D',
  'marks next to letters': '**bold**text',
  'parentheses in links': '[a](https://x.test/z_(w))',
  'paragraphs in lists': '1. a\n\n   paragraph\n\n2. b',
  'code in headings': '## The `x` call',
  'code blocks in lists': '- a\n\n  ```js\n  x\n  ```\n- b',
  'trailing spaces': 'a  \n',
  backticks: '`` a`b ``',
  'single tildes': '~one~',
  'email addresses': 'me@x.test',
  'code in links': '[`x`](https://x.test)',
  'bold code': '**`x`**',
  'bold text after a break': 'a\\\n**b** c',
  placeholders: 'From {{plans.pro.price}} a month',
  'an empty text': '',
};

describe('rich text', () => {
  it.each(Object.entries(kept))('keeps %s', (_, markdown) => {
    const printed = roundTrip(markdown);
    expect(sameMeaning(String(printed), markdown), String(printed)).toBe(true);
  });

  it.each([
    ['one\ntwo\nthree', 'one two three'],
    ['**[a](https://x.test)**', '[**a**](https://x.test)'],
    ['**_a_** and **a**_b_', '***a*** and **a***b*'],
    ['*a **b***', '*a **b***'],
    ['**a *b***', '**a *b***'],
    ['~~**a** b~~', '~~**a** b~~'],
  ])('prints %j with what readers see', (markdown, expected) => {
    const printed = roundTrip(markdown);
    expect(sameMeaning(String(printed), expected), String(printed)).toBe(true);
  });

  it.each([
    ['html', '<div class="note">hi <b>x</b></div>', 'HTML'],
    ['tags in a line', 'a <kbd>Ctrl</kbd> b', 'HTML'],
    ['comments', 'a <!-- c --> b', 'HTML'],
    ['breaks in cells', '| a |\n| --- |\n| x<br>y |', 'HTML'],
    ['footnotes', 'a[^1]\n\n[^1]: note', 'footnotes'],
    ['references', '[t][r]\n\n[r]: https://x.test', 'links and images with references'],
    ['images of other sites', '![alt text](https://x.test/a.webp)', 'images outside of the media library'],
    ['single files of images', `![alt text](${photo}/1/640.webp)`, 'images outside of the media library'],
    ['images with references', `![a][r]\n\n[r]: ${photo}`, 'links and images with references'],
    ['lists of tasks and others', '- [ ] a\n- b', 'some of its formatting'],
  ])('names what it would lose: %s', (_, markdown, loss) => {
    expect(roundTrip(markdown)).toEqual([loss]);
  });
});

it.each([' a ', 'a\t', ' '])('drops spaces at the ends of a line: %j', (typed) => {
  const document = schema.node('doc', null, [schema.node('paragraph', null, schema.text(typed))]);
  expect(printRichText(document).trimEnd()).toBe(typed.trim());
});

const literals = [
  ...['# not a heading', '1. not a list', '- no', '> no', '`x`', '*x*', 'a | b', '[x](y)', '<b>x</b>', '---', '+ a'],
  ...['~~x~~', '![a](b)', 'a_b_c', '\\', '&amp;', '```', '| a |', '[ ] a', '{{x}}', 'a\u00a0b'],
];

it.each(literals)('prints what was typed as text: %j', (typed) => {
  const paragraph = (value: string) => schema.node('paragraph', null, value === '' ? [] : schema.text(value));
  const document = schema.node('doc', null, [paragraph(typed), paragraph('end')]);
  const opened = openRichText(printRichText(document));
  expect('document' in opened && opened.document.textBetween(0, opened.document.content.size, '\n')).toBe(
    `${typed}\nend`,
  );
});
