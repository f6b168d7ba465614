import { errorHints } from '@uprez/contracts/errors/error-hints';
import { sandboxTriggers } from '@uprez/contracts/policy/sandbox';
import { expect, it } from 'vitest';
import { codeMessages } from '../../ui/code/messages.ts';
import { documentationMessages } from './messages.ts';
import { findPlaces, places, tabOf } from './outline-data.ts';
import { tabNames } from './parts/places.ts';
import { publicErrors } from './reference-data.ts';
import { referenceMessages } from './reference-messages.ts';

const ids = places.map(({ id }) => id);

it('gives every place an id of its own', () => {
  expect(new Set(ids).size).toBe(ids.length);
});

it('has a row for every error that the public API tells of', () => {
  for (const code of Object.keys(errorHints)) expect(publicErrors).toContain(code);
  for (const { name } of sandboxTriggers.filter((magic) => magic.name.startsWith('error-')))
    expect(publicErrors).toContain(name.slice('error-'.length));
  expect(tabOf('rate_limited')).toBe('reference');
  expect(tabOf('nothing-of-this-name')).toBeUndefined();
});

it('links only to places that there are', () => {
  const texts = JSON.stringify([codeMessages, documentationMessages, referenceMessages]);
  const links = [...texts.matchAll(/(?:\/documentation(?:\?tab=(\w+))?)?#([\w-]+)(?=[)"])/g)];
  expect(links.length).toBeGreaterThan(3);
  for (const [link, tab = 'reference', id] of links) {
    expect(tabNames, link).toContain(tab);
    expect(tabOf(id ?? ''), link).toBe(tab);
  }
});

it('finds calls, fields and errors by the beginnings of their names and by what they say', () => {
  expect(findPlaces('rate lim')[0]).toMatchObject({ id: 'rate_limited', kind: 'error' });
  expect(findPlaces('scale')[0]).toMatchObject({ label: 'scale_factor' });
  expect(findPlaces('/v1/estimate')[0]).toMatchObject({ id: 'v1Estimate' });
  expect(findPlaces('factor scale').map(({ label }) => label)).toContain('scale_factor');
  expect(findPlaces('  ')).toEqual([]);
  expect(findPlaces('no such thing')).toEqual([]);
});
