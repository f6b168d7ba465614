import { signEvent } from '@uprez/domain/webhooks/deliver-next';
import { expect, it } from 'vitest';
import { cases, type SdkCase } from './support/cases.ts';

const find = (name: string): SdkCase => {
  const found = cases.find((one) => one.name === name);
  if (!found) throw new Error(`Unknown case "${name}"`);
  return found;
};
const secretOf = (name: string) => find(name).secrets?.[0] ?? '';
const current = secretOf('webhook-good');
const newer = secretOf('webhook-two-signatures');

it.each([
  { name: 'webhook-good', secrets: [current] },
  { name: 'webhook-two-signatures', secrets: [current, newer] },
])('$name has the signature of the service', ({ name, secrets }) => {
  const { headers, payload = '' } = find(name);
  const at = new Date(Number(headers?.['webhook-timestamp']) * 1_000);
  expect(signEvent({ id: headers?.['webhook-id'] ?? '', at, body: payload, secrets })).toEqual(headers);
});
