import { subscribableEventTypes } from '@uprez/contracts/schemas/webhook-events';
import { expect, test } from 'vitest';
import { draftOf, findMissing, webhookBody } from './webhook-dialog.tsx';

const url = 'https://shop.example/hooks';

test('a new draft selects all events and is complete with a URL', () => {
  const draft = draftOf();
  expect(findMissing(draft)).toBe('Enter a URL.');
  expect(findMissing({ ...draft, url: '   ' })).toBe('Enter a URL.');
  expect(findMissing({ ...draft, url })).toBeUndefined();
  expect(webhookBody({ ...draft, url: ` ${url} ` })).toEqual({ url, description: '', events: [], sandbox: false });
});

test('a draft with selected events sends them, and requires at least one', () => {
  const draft = { ...draftOf(), url, every: false, events: ['job.failed'] as const };
  expect(webhookBody(draft).events).toEqual(['job.failed']);
  expect(findMissing({ ...draft, events: [] })).toBe('Choose at least one event.');
  expect(draftOf().events).toEqual(subscribableEventTypes);
});
