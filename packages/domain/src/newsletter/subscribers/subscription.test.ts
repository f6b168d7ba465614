import { expect, it } from 'vitest';
import { addInterests, coversInterests, normalizeInterests } from './subscription.ts';

it('keeps services of the topic status only, in one order, and none for all of them', () => {
  expect(normalizeInterests({ topics: ['status', 'news'], services: ['upload', 'api'] })).toEqual({
    topics: ['news', 'status'],
    services: ['api', 'upload'],
  });
  expect(normalizeInterests({ topics: ['news'], services: ['api'] })).toEqual({ topics: ['news'], services: [] });
  const all = ['api', 'web', 'upload', 'authentication', 'payments', 'delivery'] as const;
  expect(normalizeInterests({ topics: ['status'], services: all })).toEqual({ topics: ['status'], services: [] });
});

it('adds topics and services, where all services are more than some', () => {
  const api = { topics: ['status'], services: ['api'] } as const;
  const news = { topics: ['news'], services: [] } as const;
  expect(addInterests(news, api)).toEqual({ topics: ['news', 'status'], services: ['api'] });
  expect(addInterests(api, { topics: ['status'], services: ['web'] }).services).toEqual(['api', 'web']);
  expect(addInterests(api, { topics: ['status'], services: [] }).services).toEqual([]);
});

it('covers what is held already, and nothing more', () => {
  const some = { topics: ['status'], services: ['api', 'web'] } as const;
  const every = { topics: ['status'], services: [] } as const;
  expect(coversInterests(some, { topics: ['status'], services: ['api'] })).toBe(true);
  expect(coversInterests(every, some)).toBe(true);
  expect(coversInterests(some, every)).toBe(false);
  expect(coversInterests(some, { topics: ['news'], services: [] })).toBe(false);
});
