import { fileFixture } from '@uprez/testing/fixtures';
import { describe, expect, it } from 'vitest';
import { startTestGateway } from '../support/start-test-gateway.ts';
import { json, openV1Caller } from '../support/v1-calls.ts';

const gateway = fileFixture(() => startTestGateway());
const caller = fileFixture(() =>
  openV1Caller(gateway, { tier: 'enterprise', scopes: ['process', 'read', 'webhooks'] }),
);

const url = 'https://example.org/hook';
const items = [{ client_id: 'a', image_url: `${url}TEXT` }];

describe.each([
  ['a NUL', 'a\u0000b'],
  ['half of a character', 'a\uD800b'],
])('%s', (_what, text) => {
  it.each<[string, string, unknown]>([
    ['POST /v1/webhooks', 'description', { url, description: 'TEXT' }],
    ['POST /v1/webhooks', 'url', { url: `${url}TEXT` }],
    ['PATCH /v1/webhooks/00000000-0000-4000-8000-000000000000', 'description', { description: 'TEXT' }],
    ['POST /v1/batches', 'items.0.image_url', { items }],
    ['POST /v1/process', 'image_url', { image_url: `${url}TEXT` }],
  ])('in %s of %s is refused', async (line, param, body) => {
    const [method = '', path = ''] = line.split(' ');
    const told = JSON.stringify(body).replace('TEXT', JSON.stringify(text).slice(1, -1));
    const answer = await caller.call(method, path, { ...json({}), body: told });
    expect([answer.status, await answer.json()]).toMatchObject([422, { param }]);
  });

  it('in a description on the web is refused', async () => {
    const answer = await caller.owner.fetch(`${gateway.url}/api/webhooks`, {
      ...json({ url, description: text }),
      method: 'POST',
    });
    expect([answer.status, answer.headers.get('x-error-code')]).toEqual([422, 'invalid_parameter']);
  });
});
