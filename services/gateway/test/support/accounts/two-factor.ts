import type { SignedIn } from '@uprez/testing/sign-up';
import { totpCode } from '@uprez/testing/totp-code';
import type { TestGateway } from '../start-test-gateway.ts';
import { openAccountCalls } from './accounts.ts';

/** Returns helpers that call the endpoints of two-factor sign-in. */
export function openTwoFactor(gateway: TestGateway) {
  const calls = openAccountCalls(gateway);
  let cookie: string | undefined;
  const setUp = (user: SignedIn, password = user.password) => calls.postAs(user, '/api/2fa/setup', { password });
  const enable = async (user: SignedIn, code: string) => {
    const response = await calls.postAs(user, '/api/2fa/enable', { code });
    cookie = response.headers.getSetCookie()[0];
    return response;
  };
  return {
    setUp,
    enable,
    disable: (user: SignedIn, proof: object) => calls.postAs(user, '/api/2fa/disable', proof),
    /** Returns the cookie of the session that last enabled it. */
    lastCookie: () => cookie,
    /** Confirms the user's email address and enables it. Unless `keepSteps`, the used code can be used again. */
    turnOn: async (
      user: SignedIn,
      { keepSteps = false } = {},
    ): Promise<{ secret: string; recoveryCodes: string[] }> => {
      await calls.change(user, { emailVerified: true });
      const { secret } = await (await setUp(user)).json();
      const { recoveryCodes } = await (await enable(user, totpCode(secret))).json();
      if (!keepSteps)
        await gateway.ctx.db.updateTable('users').set({ twoFactorStep: 0 }).where('id', '=', user.user.id).execute();
      return { secret, recoveryCodes };
    },
  };
}
export type TwoFactorCalls = ReturnType<typeof openTwoFactor>;
