import type { OpenApiDocument } from '@uprez/contracts/docs/openapi/open-api';
import { isFullRun } from '@uprez/testing/config';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { openTlsSite } from '@uprez/testing/network/open-tls-site';
import { testSeed } from '@uprez/testing/random';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { openAnswerChecker } from '../support/check-answer.ts';
import { openFinisher } from '../support/finish-job.ts';
import { makeWorld } from '../support/fuzz/make-world.ts';
import { type FuzzRequest, openRequests } from '../support/fuzz/requests.ts';
import { send } from '../support/fuzz/send.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';
import { maxCpuMs } from '../support/v1-calls.ts';

const cases = Number(process.env.FUZZ_CASES ?? (isFullRun ? 10_000 : 400));
const chunk = 100;
const concurrency = 4;

let document: OpenApiDocument;
const image = await makeImage({ width: 20, height: 10 });
const site = fileFixture(() =>
  openTlsSite((request, response) => {
    if (request.url === '/a.png') response.end(image);
    else response.writeHead(404).end();
  }),
);
const gateway = fileFixture(() => startTestGateway({}, site.network));
const world = fileFixture(() => makeWorld(gateway));
fileFixture(async () => openFinisher(gateway.ctx));
beforeAll(async () => {
  document = (await (await fetch(`${gateway.url}/v1/openapi.json`)).json()) as OpenApiDocument;
});

type AnswerChecker = ReturnType<typeof openAnswerChecker>;
type Sent = { request: FuzzRequest; status: number; cpuMs: number; errors: string[] };

const describeRequest = ({ method, url, headers, body, operation }: FuzzRequest) => ({
  call: `${operation.operationId}: ${method} ${url.slice(0, 300)}`,
  headers: { ...headers, Authorization: undefined },
  body: body?.subarray(0, 300).toString('latin1'),
});

const isJson = (headers?: Headers) => headers?.get('content-type')?.startsWith('application/json');

/** Sends the requests, a few at a time, and returns each status with the validation errors of its response. */
async function sendAll(requests: FuzzRequest[], checker: AnswerChecker): Promise<Sent[]> {
  const waiting = requests.values();
  const sent: Sent[] = [];
  const sendInTurn = async () => {
    for (const made of waiting) {
      const request = { ...made, url: world.pool.fill(made.url) };
      const answer = await send(gateway.url, request);
      const { status = 0, cpuMs = 0, body = '' } = answer ?? {};
      const known = status >= 500 ? [body] : answer && checker.check(request.operation, answer);
      if (status < 300 && isJson(answer?.headers)) world.pool.learn(request.url, body);
      sent.push({ request, status, cpuMs, errors: known ?? ['no answer'] });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, sendInTurn));
  return sent;
}

/** Sends a slow request again, alone: CPU time is measured for all that run at once. */
async function isSlow({ request, cpuMs }: Sent): Promise<boolean> {
  if (cpuMs < maxCpuMs) return false;
  for (let time = 0; time < 3; time++) {
    const again = await send(gateway.url, request);
    if (again && again.cpuMs < maxCpuMs) return false;
  }
  return true;
}

it(`${cases} generated requests return responses that match the OpenAPI document`, { timeout: 1_800_000 }, async () => {
  const { request, calls } = openRequests(document, world);
  const checker = openAnswerChecker(document);
  const made = new Set<unknown>();
  let good = 0;
  for (let at = 0; at < cases; at += chunk) {
    const numRuns = Math.min(chunk, cases - at);
    for (const one of await sendAll(fc.sample(request, { seed: testSeed + at, numRuns }), checker)) {
      const { request: of, status, errors } = one;
      expect(errors, `${status} ${JSON.stringify(describeRequest(of), undefined, 2)}`).toEqual([]);
      expect(await isSlow(one), JSON.stringify(describeRequest(of))).toBe(false);
      made.add(of.operation);
      if (of.isValid && status < 300) good += 1;
    }
  }
  expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
  expect(good / cases).toBeGreaterThan(0.15);
  if (cases > 2_000) expect(made.size).toBe(calls.length);
});
