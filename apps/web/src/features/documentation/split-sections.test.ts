import { expect, it } from 'vitest';
import { splitSections } from './split-sections.ts';

const page = `<section id="limits" class="a"><h2 id="limits-title">Limits</h2><p>Up to <code>100</code> images &amp; <a href="#x">more</a>.</p>
<figure><pre>curl</pre></figure><ul><li id="error">Try again.</li><li>Later.</li></ul></section><section id="empty"><h2>Empty</h2></section>`;

it('returns the text of each ID up to the next one, without code and headings', () => {
  expect(splitSections(page, ['error', 'limits', 'empty', 'missing'])).toEqual({
    limits: 'Up to 100 images & more.',
    error: 'Try again. Later.',
  });
});
