import { mediaPath } from '@uprez/contracts/policy/images/media';
import { describe, expect, it } from 'vitest';
import { documentId, files, imageId } from '../test/fixtures/files.ts';
import { findFileProblem, findProblem, parseMarkdown } from './parse.ts';
import { printMarkdown } from './print.ts';
import { renderMarkdown } from './render.ts';

const url = mediaPath(imageId);
const unknown = '/media/0198c0de-0000-7000-8000-00000000000c';
const render = (text: string) => renderMarkdown(text, { files }).html;
const problem = (text: string) => findProblem(`a\n\n${text}`, { files })?.message;

describe('images of the media library', () => {
  it('load in the size that a screen needs, with an own text, a title, or the text of the library', () => {
    const sources = `src="${url}/3/800.webp" srcset="${url}/3/320.webp 320w, ${url}/3/640.webp 640w, ${url}/3/800.webp 800w"`;
    const size = 'sizes="(min-width: 45rem) 42rem, 100vw" width="800" height="400"';
    expect(render(`a\n\n![Own *text*](${url} "Title")`)).toBe(
      `<p>a</p>\n<p><img ${sources} ${size} alt="Own text" title="Title" loading="lazy" decoding="async"></p>`,
    );
    expect(render(`a\n\n![](${url})`)).toContain('alt="A &#x22;harbor&#x22; &#x26; a <boat>" loading="lazy"');
    for (const text of [`![a][b]\n\n[b]: ${url}`, `[![a](${url})](https://x.test)`, `![a](${url.toUpperCase()})`])
      expect(render(text)).toContain(sources);
  });

  it('load at once at the start of a text', () => {
    const [first = '', second = ''] = render(`![a](${url}) b\n\n![c](${url})`).split('\n');
    expect(first).not.toContain('loading');
    expect(second).toContain('loading="lazy"');
  });

  it('keep their place in the tree when they are printed', () => {
    const text = `a ![*b*](${url} "c") d\n\n![](${url})\n`;
    expect(printMarkdown(parseMarkdown(text))).toBe(`a ![b](${url} "c") d\n\n![](${url})\n`);
  });

  it('have their texts escaped', () => {
    const html = render(`![" onerror="x](${url} '"><script>1</script>')`);
    expect(html).toContain('alt="&#x22; onerror=&#x22;x"');
    expect(html).toContain('title="&#x22;><script>1</script>"');
  });
});

describe('findProblem', () => {
  it.each([
    'https://x.test/a.png',
    `https://x.test${url}`,
    `//x.test${url}`,
    '/media/a.webp',
    `${url}/3/800.webp`,
    `${url}?a`,
    `${url}#a`,
    `/media/../media/${imageId}`,
    encodeURIComponent(url),
    url.slice(1),
    url.replace('/', '\\\\'),
    'data:image/svg+xml;base64,AAAA',
    'javascript:alert(1)',
    'javascript&#58;alert(1)',
    '',
  ])('rejects the image at "%s"', (wrong) => {
    const message = 'Images must be from the media library. Remove the image on line 3.';
    for (const text of [`![b](${wrong})`, `[![b](${wrong})](https://x.test)`]) expect(problem(text)).toBe(message);
  });

  it('rejects files that the library does not have, and documents as images', () => {
    const missing = "The media library doesn't have this image. Replace or remove the image on line 3.";
    expect(problem(`![b](${unknown})`)).toBe(missing);
    expect(problem(`![b]\n\n[b]: ${unknown}`)).toBe(missing);
    expect(findProblem(`![b](${url})`)?.message).toBe(missing.replace('3', '1'));
    expect(problem(`[b](${unknown})`)).toBe(
      "The media library doesn't have this file. Correct or remove the link on line 3.",
    );
    expect(problem(`![b](${mediaPath(documentId)})`)).toBe(
      "Documents can't be shown as images. Link to the document on line 3.",
    );
    expect(problem(`[b](${mediaPath(documentId)}/1/original.pdf)`)).toBe(
      "Links to files of the media library can't have a version. Correct the link on line 3.",
    );
    for (const text of [
      `[b](${mediaPath(documentId)})`,
      `[b](${mediaPath(documentId)}#page=2)`,
      `[b](${url})`,
      `\`![b](${unknown})\``,
      `https://x.test${unknown}`,
    ])
      expect(problem(text)).toBeUndefined();
  });
});

describe('findFileProblem', () => {
  it('finds wrong files only', () => {
    const find = (text: string) => findFileProblem(`<b>\n\n${text}`, files)?.message;
    for (const text of [`![b](${unknown})`, `![b]\n\n[b]: ${unknown}`, `[b](${unknown})`])
      expect(find(text)).toMatch(/^The media library doesn't have this (image|file)\. .* on line 3\.$/);
    expect(find(`![b]\n\n[b]: ${mediaPath(documentId)}`)).toMatch(/^Documents can't be shown/);
    for (const text of [`![b](${url})`, '![b](//x.test)', '[b](tel:1)', `\`![b](${unknown})\``, `${'> '.repeat(50)}a`])
      expect(find(text)).toBeUndefined();
  });
});
