import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { v1Routes } from '@uprez/contracts/endpoints/routes-v1';
import { sitePaths } from '@uprez/contracts/texts/site/pages';
import { beforeAll, describe, expect, it } from 'vitest';
import { renderDocumentation } from '../../../vite-prerender.ts';
import { anchors } from '../../site-map.ts';
import { languageNames } from '../../ui/code/languages.ts';
import { codeMessages } from '../../ui/code/messages.ts';
import { places } from './outline-data.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };
const toText = (markup: string) =>
  markup.replace(/<[^>]+>/g, '').replace(/&(amp|lt|gt|quot|#x27);/g, (_, name) => entities[name] ?? '');
/** The content of every element of a name, without nested ones. */
const listElements = (name: string) =>
  [...html.matchAll(new RegExp(`<${name}\\b[^>]*>([\\s\\S]*?)</${name}>`, 'g'))].map(([, content = '']) => content);

let html: string;
beforeAll(async () => {
  html = await renderDocumentation(root);
}, 120_000);

describe('the rendered documentation', () => {
  it.each(['pre', 'dl', 'ul', 'table', 'td', 'dd', 'p'])('has no empty <%s>', (name) => {
    expect(listElements(name).length).toBeGreaterThan(0);
    expect(listElements(name).filter((content) => toText(content).trim() === '')).toEqual([]);
  });

  it('has content in everything that opens', () => {
    const contents = listElements('details').map((content) =>
      toText(content.replace(/^<summary[\s\S]*?<\/summary>/, '')),
    );
    expect(contents.filter((content) => content.trim() === '')).toEqual([]);
    expect(html).not.toContain('Loading...');
  });

  it('is small, because browsers with JavaScript get it, too', () => {
    expect(html.length).toBeLessThan(600_000);
    expect(html).not.toContain(' aria-label="Copy ');
  });

  it('has no template in its texts', () => {
    const text = toText(html.replace(/<pre\b[\s\S]*?<\/pre>/g, ''));
    const params = Object.values(v1Routes).flatMap(({ path }) => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name));
    const known = new Set([...params, 'processing', 'source', 'name', 'factor', 'ext']);
    const templates = [...text.matchAll(/\{([^{}]*)\}?/g)]
      // JSON.
      .filter(([, inner = '']) => !known.has(inner) && !/^"\w+": /.test(inner))
      .map(([template]) => template);
    expect(templates).toEqual([]);
    expect(text).not.toMatch(/\$\{|\bundefined\b|\bNaN\b|\[object /);
  });

  it('has no dead link', () => {
    const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const targets = new Set<string>([
      ...Object.values(sitePaths),
      ...Object.values(anchors).map((anchor) => `/#${anchor}`),
      ...[v1Routes.v1OpenApi.path, v1Routes.v1Postman.path, '/llms.txt'],
    ]);
    const links = [...new Set([...html.matchAll(/ href="([^"]+)"/g)].map(([, link = '']) => toText(link)))];
    const dead = links.filter((link) =>
      link.startsWith('#') ? !ids.has(link.slice(1)) : !targets.has(link) && !targets.has(link.replace(/\?.*/, '')),
    );
    expect(dead).toEqual(['https://www.standardwebhooks.com']);
    expect(links.length).toBeGreaterThan(50);
  });

  it('has every place once', () => {
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id } of places) expect(ids).toContain(id);
  });

  it('has every example in every language', () => {
    const names = [...html.matchAll(/<figure aria-label="([^"]+)"/g)].map(([, name = '']) => toText(name));
    for (const example of Object.values(codeMessages.examples))
      expect(names.filter((name) => name.startsWith(`${example}, `)).length).toBeGreaterThanOrEqual(
        languageNames.length,
      );
  });

  it('names only files that exist', () => {
    const paths = listElements('pre')
      .flatMap((code) => [...toText(code).matchAll(/(?:~|\$HOME)\/uprez\/(packages\/[\w./-]+\w)/g)])
      .map(([, path]) => path);
    expect(paths.length).toBeGreaterThan(5);
    for (const path of paths) expect(existsSync(`${root}../../${path}`), path).toBe(true);
  });
});
