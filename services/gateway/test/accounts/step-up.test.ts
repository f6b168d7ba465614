import { endpoints } from '@uprez/contracts/endpoints/endpoints';
import { type RouteName, routes } from '@uprez/contracts/endpoints/routes';
import { totpCode } from '@uprez/testing/totp-code';
import { describe, expect, it } from 'vitest';
import { openAccountCalls } from '../support/accounts/accounts.ts';
import { callByName, setStepUp, signUpAdmin } from '../support/accounts/admin-calls.ts';
import { openTwoFactor } from '../support/accounts/two-factor.ts';
import { shareTestGateway } from '../support/share-test-gateway.ts';

const gateway = shareTestGateway();
const calls = openAccountCalls(gateway);
const flagged = (Object.keys(routes) as RouteName[]).filter((name) => 'stepUp' in endpoints[name]);
const codeOf = (response: Response) => [response.status, response.headers.get('x-error-code')];
const fails = (status: number, code: string) => expect.objectContaining({ status, code });
const makeAdmin = async () => {
  const admin = await signUpAdmin(gateway);
  await setStepUp(gateway.ctx.db, admin, null);
  return admin;
};

it('is required by roles, tiers, security settings, and refunds', () => {
  expect(flagged).toEqual(
    expect.arrayContaining(['adminSetRole', 'adminSetTier', 'putSecuritySettings', 'adminRefundTransaction']),
  );
});

describe('an endpoint that requires it', () => {
  const call = ({ fetch, user: { id } }: Awaited<ReturnType<typeof makeAdmin>>, name: RouteName) =>
    callByName({ url: gateway.url, fetch, id }, name, { body: {} });

  it('returns step_up_required before the password was entered', async () => {
    const admin = await makeAdmin();
    for (const name of flagged) expect(codeOf(await call(admin, name)), name).toEqual([403, 'step_up_required']);
  });

  it.each(['adminSetRole', 'putSecuritySettings'] as const)(
    '%s: returns step_up_required again 10 minutes later',
    async (name) => {
      const admin = await makeAdmin();
      await admin.client.stepUp({ body: { password: admin.password } });
      expect(codeOf(await call(admin, name))[1]).not.toBe('step_up_required');
      await setStepUp(gateway.ctx.db, admin, 9 * 60);
      expect(codeOf(await call(admin, name))[1]).not.toBe('step_up_required');
      await setStepUp(gateway.ctx.db, admin, 10 * 60);
      expect(codeOf(await call(admin, name))).toEqual([403, 'step_up_required']);
    },
  );
});

describe('POST /api/user/step-up', () => {
  it('holds for the session only', async () => {
    const admin = await makeAdmin();
    await admin.client.stepUp({ body: { password: admin.password } });
    const { db } = gateway.ctx;
    expect((await calls.signIn(admin)).status).toBe(200);
    const rows = await db
      .selectFrom('sessions')
      .select('steppedUpAt')
      .where('userId', '=', admin.user.id)
      .orderBy('createdAt')
      .execute();
    expect(rows.map(({ steppedUpAt }) => steppedUpAt !== null)).toEqual([true, false]);
  });

  it('accepts a code instead of the password with two-factor authentication, once', async () => {
    const admin = await makeAdmin();
    const { secret } = await openTwoFactor(gateway).turnOn(admin);
    const code = totpCode(secret);
    expect((await admin.client.stepUp({ body: { code } })).status).toBe(204);
    await expect(admin.client.stepUp({ body: { code } })).rejects.toEqual(fails(401, 'bad_two_factor_code'));
    expect((await admin.client.stepUp({ body: { password: admin.password } })).status).toBe(204);
  });

  it('returns an error for a wrong password or code, and counts the guesses', async () => {
    const admin = await makeAdmin();
    const guess = () => admin.client.stepUp({ body: { password: 'not this one' } });
    await expect(admin.client.stepUp({ body: { code: '123456' } })).rejects.toEqual(fails(409, 'two_factor_state'));
    for (let i = 0; i < 5; i += 1) await expect(guess()).rejects.toEqual(fails(403, 'wrong_password'));
    await expect(guess()).rejects.toEqual(fails(429, 'too_many_attempts'));
    const right = admin.client.stepUp({ body: { password: admin.password } });
    await expect(right).rejects.toEqual(fails(429, 'too_many_attempts'));
    const row = gateway.ctx.db.selectFrom('sessions').select('steppedUpAt').where('userId', '=', admin.user.id);
    expect(await row.execute()).toEqual([{ steppedUpAt: null }]);
  });

  it.each([{}, { password: 'a', code: '123456' }, { password: 'a', minutes: 60 }])(
    'returns 422 for %j',
    async (body) => {
      const admin = await makeAdmin();
      expect(codeOf(await calls.postAs(admin, '/api/user/step-up', body))).toEqual([422, 'invalid_parameter']);
    },
  );
});
