import { type ErrorCode, errorCodes } from '@uprez/contracts/errors/error-codes';
import { type Problem, problemSchema } from '@uprez/contracts/errors/problem';
import type { SignedIn } from '@uprez/testing/sign-up';
import { expect } from 'vitest';
import type { TestGateway } from './start-test-gateway.ts';
import { countTraces } from './traces.ts';

type Sent = { body: BodyInit; headers?: Record<string, string> };

/** Expects an upload to return this error, store nothing, and charge nothing. Returns the problem document. */
export async function expectRefused(
  { gateway, user }: { gateway: TestGateway; user: SignedIn },
  { body, headers }: Sent,
  code: ErrorCode,
): Promise<Problem> {
  const before = await countTraces(gateway.ctx);
  const response = await user.fetch(`${gateway.url}/api/images/process`, {
    method: 'POST',
    headers: { accept: 'application/problem+json', prefer: 'respond-async', ...headers },
    body,
  });
  const problem = problemSchema.parse(await response.json());
  expect(problem).toMatchObject({ code, status: errorCodes[code].status });
  expect(await countTraces(gateway.ctx)).toEqual(before);
  return problem;
}
