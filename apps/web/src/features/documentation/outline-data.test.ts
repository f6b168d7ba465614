import { readdirSync, readFileSync } from 'node:fs';
import { publicErrorCodes } from '@uprez/contracts/docs/public-errors';
import { errorHints } from '@uprez/contracts/errors/error-hints';
import { sandboxTriggers } from '@uprez/contracts/policy/sandbox';
import { describe, expect, it } from 'vitest';
import { findPlaces, outlines, places, type TabName, tabNames, tabOf } from './outline-data.ts';

const folder = new URL('./pages/', import.meta.url);
const files: Record<TabName, string> = {
  start: 'getting-started.mdx',
  reference: 'api-reference.mdx',
  examples: 'examples.mdx',
  sdks: 'sdks.mdx',
};
const read = (tab: TabName) => readFileSync(new URL(files[tab], folder), 'utf8');
const ids = places.map(({ id }) => id);

it('has a unique ID for every place', () => {
  expect(new Set(ids).size).toBe(ids.length);
});

it('lists every error of the public API and of the sandbox', () => {
  for (const code of Object.keys(errorHints)) expect(publicErrorCodes).toContain(code);
  for (const { name } of sandboxTriggers.filter((trigger) => trigger.name.startsWith('error-')))
    expect(publicErrorCodes).toContain(name.slice('error-'.length));
  expect(tabOf('rate_limited')).toBe('reference');
  expect(tabOf('nothing-of-this-name')).toBeUndefined();
});

describe.each(tabNames)('the page of the tab %s', (tab) => {
  it('has the sections of the outline, in order', () => {
    const sections = [...read(tab).matchAll(/<Section id="([^"]+)"/g)].map(([, id]) => id);
    expect(sections).toEqual(outlines[tab].map(({ id }) => id));
  });

  it('links only to existing places', () => {
    for (const [link, target = tab, id = ''] of read(tab).matchAll(/\]\((?:\/documentation\?tab=(\w+))?#([\w-]+)\)/g))
      expect(tabOf(id), link).toBe(target);
  });

  it('contains numbers of limits only as expressions', () => {
    expect(read(tab)).not.toMatch(/\d+ (hours|minutes|megapixels|characters)/);
  });
});

it('has no page without a tab', () => {
  expect(readdirSync(folder).toSorted()).toEqual(Object.values(files).toSorted());
});

it('finds endpoints, fields, and errors by their name and description', () => {
  expect(findPlaces('rate lim')[0]).toMatchObject({ id: 'rate_limited', kind: 'error' });
  expect(findPlaces('scale')[0]).toMatchObject({ label: 'scale_factor' });
  expect(findPlaces('/v1/estimate')[0]).toMatchObject({ id: 'v1Estimate' });
  expect(findPlaces('factor scale').map(({ label }) => label)).toContain('scale_factor');
  expect(findPlaces('  ')).toEqual([]);
  expect(findPlaces('no such thing')).toEqual([]);
});

it('finds the text of a place after labels and search terms, with the words around it', () => {
  const long = 'Use the header to detect duplicates of a delivery. '.repeat(6);
  const texts = { 'calls-webhooks': `${long}Reject webhooks that are too old.`, repeats: 'Send a key.' };
  const [found, ...others] = findPlaces('webhooks too old', texts);
  expect(found).toMatchObject({ id: 'calls-webhooks', kind: 'part', tab: 'reference' });
  expect(found?.snippet).toMatch(/^\.\.\. .*Reject webhooks that are too old\.$/);
  expect(found?.snippet?.length).toBeLessThan(120);
  expect(others).toEqual([]);
  expect(findPlaces('rate lim', { sandbox: 'A rate limit applies.' })[0]).toMatchObject({ id: 'rate_limited' });
  expect(findPlaces('rate lim', { sandbox: 'A rate limit applies.' }).at(-1)).toMatchObject({ id: 'sandbox' });
});
