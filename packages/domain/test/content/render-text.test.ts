import { renderText } from '@uprez/domain/content/text/render-text';
import { describe, expect, it } from 'vitest';

const render = (text: string) => renderText(text, new Map());
const long = '- item with `code` and *emphasis*\n'.repeat(2_900);

describe('rendering a text', () => {
  it('returns the HTML and the reading time', async () => {
    expect(await render('*Hi*')).toEqual({ html: '<p><em>Hi</em></p>', readingMinutes: 1 });
    expect(await render('word '.repeat(226))).toMatchObject({ readingMinutes: 2 });
  });

  it('is stopped at its time limit, and does not affect other texts', async () => {
    const others = ['one', 'two'].map((text) => render(text));
    const stopped = renderText(long, new Map(), 20);
    others.push(render('three'));
    await expect(stopped).rejects.toMatchObject({ code: 'markup_invalid', param: 'content' });
    expect((await Promise.all(others)).map(({ html }) => html)).toEqual(['<p>one</p>', '<p>two</p>', '<p>three</p>']);
  });

  it('does not block the event loop', async () => {
    let ticks = 0;
    const ticking = setInterval(() => {
      ticks += 1;
    }, 5);
    // On a busy machine, the limit of the product may end first.
    await renderText(long, new Map(), 60_000);
    clearInterval(ticking);
    expect(ticks).toBeGreaterThan(10);
  });
});
