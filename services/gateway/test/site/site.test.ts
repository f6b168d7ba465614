import { fileFixture } from '@uprez/testing/fixtures';
import { waitUntil } from '@uprez/testing/wait-until';
import { expect, it } from 'vitest';
import { security, site } from '../support/accounts/admin-calls.ts';
import { makeCheckedFetch } from '../support/checked-fetch.ts';
import { signUpAdmin } from '../support/sign-up-admin.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

const gateway = fileFixture(() => startTestGateway());

const anonymous = makeCheckedFetch(fetch);
const read = async () => (await anonymous(`${gateway.url}/api/site`)).json();

it('GET /api/site tells everybody its name, where to write and what passwords need, as set last, and nothing else', async () => {
  const admin = await signUpAdmin(gateway);
  const told = { siteName: 'Other', contactEmail: 'sales@example.test', supportEmail: 'help@example.test' };
  await admin.client.putSiteSettings({ body: { ...site, ...told } });
  await admin.client.putSecuritySettings({ body: { ...security, minPasswordLength: 12 } });
  await waitUntil(async () => (await read()).minPasswordLength === 12);
  expect(await read()).toEqual({ ...told, minPasswordLength: 12 });
});
