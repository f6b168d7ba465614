import type { Element } from 'hast';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { describe, expect, it } from 'vitest';
import { files } from '../test/fixtures/files.ts';
import { payloads } from '../test/fixtures/payloads.ts';
import { findProblem, MarkupError } from './parse.ts';
import { renderMarkdown } from './render.ts';

const render = (text: string) => renderMarkdown(text).html;

describe('elements', () => {
  it.each([
    ['headings', '## A\n\n### B', '<h2 id="section-a">A</h2>\n<h3 id="section-b">B</h3>'],
    ['marks', '**b** *i* ~~s~~ `c`', '<p><strong>b</strong> <em>i</em> <del>s</del> <code>c</code></p>'],
    ['code', '```ts\na < b\n```', '<pre><code class="language-ts">a &#x3C; b\n</code></pre>'],
    ['lists', '3. a\n4. b\n   - c', '<ol start="3">\n<li>a</li>\n<li>b\n<ul>\n<li>c</li>\n</ul>\n</li>\n</ol>'],
    ['quotes', '> a\n\n---', '<blockquote>\n<p>a</p>\n</blockquote>\n<hr>'],
    ['line breaks', 'a  \nb', '<p>a<br>\nb</p>'],
    [
      'own links',
      '[a](/pricing "b") [c](#d) [e](f)',
      '<p><a href="/pricing" title="b">a</a> <a href="#d">c</a> <a href="f">e</a></p>',
    ],
    ['email links', 'me@x.test', '<p><a href="mailto:me@x.test">me@x.test</a></p>'],
  ])('renders %s', (_case, text, html) => {
    expect(render(text)).toBe(html);
  });

  it('renders tables with their alignment', () => {
    const html = render('| a | b |\n| :-- | --: |\n| `x \\| y` | 2 |');
    expect(html).toContain('<th align="left">a</th>');
    expect(html).toContain('<td align="left"><code>x | y</code></td>\n<td align="right">2</td>');
  });

  it('renders task lists with labeled boxes that nobody can change', () => {
    const html = render('- [ ] a\n- [x] b');
    expect(html).toContain('<li class="task-list-item"><input type="checkbox" disabled aria-label="Not done"> a</li>');
    expect(html).toContain('<input type="checkbox" checked disabled aria-label="Done"> b');
  });

  it.each(['https://x.test', 'http://x.test', '//x.test'])('hides the page from %s', (url) => {
    expect(render(`[a](${url})`)).toBe(`<p><a href="${url}" rel="noopener noreferrer">a</a></p>`);
  });

  it('leaves the first heading level to the page', () => {
    expect(render('# A\n\nB\n=')).toBe('<h2 id="section-a">A</h2>\n<h2 id="section-b">B</h2>');
  });

  it('gives each heading an ID of its own', () => {
    const html = render('## A\n\n## A\n\n## location\n\n## *A* `b`\n\n## ✓\n\n## ✓\n\n## a-1');
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(ids).toHaveLength(7);
    expect(new Set(ids).size).toBe(7);
    expect(ids).toEqual(expect.arrayContaining(['section-a', 'section-a-1', 'section-location']));
  });
});

describe('placeholders', () => {
  it('become the values of the plans', () => {
    const text = '**{{plans.pro.price}}** for {{ plans.pro.images }}, {{plans.free.name}}: {{plans.free.uploadSize}}';
    expect(render(text)).toBe('<p><strong>$7</strong> for 100 AI images and 1,000 standard images, Free: 50 MB</p>');
  });

  it('stay in code', () => {
    expect(render('`{{plans.pro.price}}`')).toBe('<p><code>{{plans.pro.price}}</code></p>');
  });
});

it('throws an error with the line of what cannot be published', () => {
  const attempt = () => render('a\n\n<b>');
  expect(attempt).toThrow(MarkupError);
  expect(attempt).toThrow(expect.objectContaining({ line: 3 }));
});

it('counts words of texts, tables, and code, but not Markdown', () => {
  expect(
    renderMarkdown('# One two\n\n- three **fo**ur\n- [x] five\n\n| six |\n| --- |\n| 7 |\n\n```\neight\n```').words,
  ).toBe(8);
  expect(renderMarkdown("It's a [link](https://x.test/a-b)\n\n---").words).toBe(3);
  expect(renderMarkdown('').words).toBe(0);
});

const urls: ReadonlySet<string> = new Set(['href', 'src', 'action', 'data', 'srcDoc', 'formAction', 'xLinkHref']);
const elements = /^(p|h[2-6]|em|strong|del|code|pre|a|ul|ol|li|blockquote|hr|br|table|thead|tbody|tr|th|td|input|img)$/;

/** The elements of HTML, as a browser reads it. */
function listElements(html: string): Element[] {
  const found: Element[] = [];
  visit(unified().use(rehypeParse, { fragment: true }).parse(html), 'element', (element) => {
    found.push(element);
  });
  return found;
}

/** Whether a browser would run a URL. It ignores control characters and spaces. */
const isUnsafe = (url: unknown) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers ignore them
  !/^(https?:|mailto:|[^:]*$|[^:]*[/?#])/i.test(String(url).replaceAll(/[\u0000-\u0020]/g, ''));

describe('hostile texts', () => {
  it.each(payloads)('%s is rejected or harmless', (text) => {
    if (findProblem(text, { files })) return;
    const { html } = renderMarkdown(text, { files });
    for (const { tagName, properties } of listElements(html)) {
      expect(tagName).toMatch(elements);
      for (const [name, value] of Object.entries(properties)) {
        expect(name).not.toMatch(/^on|^style$/i);
        if (urls.has(name)) expect(isUnsafe(value)).toBe(false);
        if (name === 'id') expect(value).toMatch(/^section-/);
        if (name === 'className') expect(String(value)).toMatch(/^(language-|task-list-item|contains-task-list)/);
      }
    }
  });

  it('are rejected where they contain HTML', () => {
    const rejected = payloads.filter((text) => findProblem(text, { files }));
    expect(rejected.length).toBeGreaterThan(20);
    for (const text of ['<script>1</script>', '<img src=x onerror=1>', '</textarea><script>1</script>'])
      expect(findProblem(text)?.message).toMatch(/^HTML isn't supported/);
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,a',
    'vbscript:a',
    'JaVaScRiPt:a',
    'javascript&#58;a',
    'blob:a',
    'file:///a',
    'tel:1',
    'HTTPS://x.test',
  ])('have no link to %s', (url) => {
    const message = 'Links must start with https://, http://, or mailto:. Correct the link on line 3.';
    for (const text of [`[a](${url})`, `<${url}>`, `[a]: ${url}\n\n[a]`])
      if (!/^<.*&/.test(text)) expect(findProblem(`a\n\n${text}`)).toEqual({ message, line: 3 });
  });

  it('may have links in the site, in the page, and to email addresses', () => {
    for (const url of ['/a:b', 'a', '?a:b', '#a:b', '//x.test', 'mailto:a@x.test', 'http://x.test:80', ''])
      expect(findProblem(`[a](${url})`)).toBeUndefined();
    for (const text of ['<a@x.test>', 'www.x.test', 'https://x.test', 'Note: a', '`tel:1`'])
      expect(findProblem(text)).toBeUndefined();
  });
});
