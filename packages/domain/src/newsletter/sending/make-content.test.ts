import { renderMarkdown } from '@uprez/markup/render';
import { expect, it } from 'vitest';
import { toMailHtml, toMailText } from './make-content.ts';

const site = 'https://images.example/app';
const text = [
  '[a](/pricing "P") [b](pricing?x=1&y=2) [c](//cdn.example/x) [d](#top) <mailto:a@b.example> [e](</help center>) [f][f]',
  '`<a href="/code">` and x href="/y"',
  '[f]: /docs',
].join('\n\n');

it('makes all links of an email absolute, and changes nothing that only looks like one', () => {
  const html = toMailHtml(renderMarkdown(text).html, site);
  const links = [...html.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href);
  expect(links).toEqual([
    `${site}/pricing`,
    `${site}/pricing?x=1&#x26;y=2`,
    'https://cdn.example/x',
    '#top',
    'mailto:a@b.example',
    `${site}/help%20center`,
    `${site}/docs`,
  ]);
  expect(html).toContain('&#x3C;a href="/code">');
  expect(html).toContain('x href="/y"');
  const plain = toMailText(text, site);
  for (const link of ['(/pricing', '(/help', '(</', ': /docs']) expect(plain).not.toContain(link);
  expect(plain).toContain(`[a](${site}/pricing "P")`);
  expect(plain).toContain(`[f]: ${site}/docs`);
  expect(plain).toContain('`<a href="/code">`');
});
