import { v1ProblemSchema } from '@uprez/contracts/errors/problem';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import type { KeyScope } from '@uprez/contracts/schemas/api-keys';
import type { V1Job } from '@uprez/contracts/v1/schemas';
import { readQuota } from '@uprez/domain/usage/read-quota';
import { cpuTimeMs } from '@uprez/runtime/open-pixel-child';
import type { SignedIn } from '@uprez/testing/sign-up';
import { expect } from 'vitest';
import { makeKey, signUpWithPlan } from './accounts/api-keys.ts';
import { makeCheckedFetch } from './checked-fetch.ts';
import type { TestGateway } from './start-test-gateway.ts';
import { countTraces } from './traces.ts';

/** The CPU time limit of a call, which includes that of the test in the same process. */
export const maxCpuMs = 5_000;
const checked = makeCheckedFetch(fetch);

export type V1Caller = {
  owner: SignedIn;
  keyId: string;
  key: string;
  /** Calls an endpoint with the key; responses are checked against the contract. */
  call: (method: string, path: string, init?: RequestInit) => Promise<Response>;
  /** Submits a processing call that does not wait, and returns the job. */
  submit: (init: RequestInit, query?: string) => Promise<V1Job>;
};

export type CallerOptions = {
  tier?: Tier;
  kind?: 'live' | 'test';
  scopes?: KeyScope[];
  monthlyCap?: number;
  owner?: SignedIn;
};

/** Creates an account with a key. */
export async function openV1Caller(gateway: TestGateway, options: CallerOptions = {}): Promise<V1Caller> {
  const { tier = 'api_basic', owner = await signUpWithPlan(gateway, tier), ...facts } = options;
  const { key, id: keyId } = await makeKey(owner, facts);
  // The first call grants the units of the period, which would otherwise count as left behind.
  await readQuota(gateway.ctx, { actor: { accountId: owner.user.id } });
  const call: V1Caller['call'] = (method, path, init = {}) =>
    checked(gateway.url + path, { ...init, method, headers: { authorization: `Bearer ${key}`, ...init.headers } });
  return {
    owner,
    keyId,
    key,
    call,
    submit: async (init, query = '') => {
      const headers = { prefer: 'respond-async', ...init.headers };
      const answer = await call('POST', `/v1/process${query}`, { ...init, headers });
      expect(answer.status, await answer.clone().text()).toBe(202);
      return (await answer.json()) as V1Job;
    },
  };
}

/** Returns a request with a JSON body. */
export const json = (body: unknown) => ({
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});

/** Returns a request with a raw image as its body. */
export const raw = (image: Buffer, type = 'image/png'): RequestInit => ({
  body: new Uint8Array(image),
  headers: { 'content-type': type },
});

/** Expects a call to return this error, store nothing, charge nothing, and take little CPU time. */
export async function expectV1Refused(
  { ctx }: TestGateway,
  make: () => Promise<Response>,
  expected: { status: number; code: string; param?: string },
) {
  const before = await countTraces(ctx);
  const start = cpuTimeMs();
  const answer = await make();
  expect(cpuTimeMs() - start).toBeLessThan(maxCpuMs);
  const problem = v1ProblemSchema.parse(await answer.json());
  expect({ httpStatus: answer.status, ...problem }).toMatchObject({ httpStatus: expected.status, ...expected });
  expect(await countTraces(ctx)).toEqual(before);
  return problem;
}
