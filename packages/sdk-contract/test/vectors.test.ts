import { isSignedBy } from '@uprez/domain/image-urls/image-url-settings';
import { parseImageUrl, parseKeyId } from '@uprez/domain/image-urls/parse-image-url';
import { signEvent } from '@uprez/domain/webhooks/event-message';
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

it.each(cases.filter(({ image_url }) => image_url))(
  '$name is accepted by the service',
  ({ image_url, expect: expected }) => {
    const [, signature = '', options = '', source = ''] =
      /\/img\/(.*)\/(.*)\/(.*)$/.exec(String(expected.got?.url)) ?? [];
    expect(isSignedBy([image_url?.secret ?? ''], { signature, options, source })).toBe(true);
    expect(parseKeyId(options)).toBe('0123456789abcdef');
    expect(parseImageUrl({ options, source }, '').source.href).toBe(new URL(image_url?.url ?? '').href);
  },
);
