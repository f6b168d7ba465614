import { subscribableEventTypes } from '@uprez/contracts/schemas/webhook-events';
import { expect, test } from 'vitest';
import { findMissingField, toWebhookBody, toWebhookDraft } from './webhook-dialog.tsx';

const url = 'https://shop.example/hooks';

test('a new draft selects all events and is complete with a URL', () => {
  const draft = toWebhookDraft();
  expect(findMissingField(draft)).toBe('Enter a URL.');
  expect(findMissingField({ ...draft, url: '   ' })).toBe('Enter a URL.');
  expect(findMissingField({ ...draft, url })).toBeUndefined();
  expect(toWebhookBody({ ...draft, url: ` ${url} ` })).toEqual({ url, description: '', events: [], sandbox: false });
});

test('a draft with selected events sends them, and requires at least one', () => {
  const draft = { ...toWebhookDraft(), url, every: false, events: ['job.failed'] as const };
  expect(toWebhookBody(draft).events).toEqual(['job.failed']);
  expect(findMissingField({ ...draft, events: [] })).toBe('Choose at least one event.');
  expect(toWebhookDraft().events).toEqual(subscribableEventTypes);
});
