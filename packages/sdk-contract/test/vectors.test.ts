import { signEvent } from '@uprez/domain/webhooks/sign-event';
import { expect, it } from 'vitest';
import { cases, type SdkCase } from './support/cases.ts';

const find = (name: string): SdkCase => {
  const found = cases.find((one) => one.name === name);
  if (!found) throw new Error(`There is no case "${name}".`);
  return found;
};
const secretOf = (name: string) => find(name).secrets?.[0] ?? '';
const ours = secretOf('webhook-good');
const newer = secretOf('webhook-rotated-by-the-sender');

it.each([
  { name: 'webhook-good', secrets: [ours] },
  { name: 'webhook-rotated-by-the-sender', secrets: [ours, newer] },
])('$name is signed as the service signs', ({ name, secrets }) => {
  const { headers, payload = '' } = find(name);
  const at = new Date(Number(headers?.['webhook-timestamp']) * 1_000);
  expect(signEvent({ id: headers?.['webhook-id'] ?? '', at, body: payload, secrets })).toEqual(headers);
});
