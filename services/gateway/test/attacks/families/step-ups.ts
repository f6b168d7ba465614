import { setTimeout as delay } from 'node:timers/promises';
import { percentile } from '@uprez/testing/bench-report';
import type { Attack, Found, Target, World } from '../support/attack.ts';
import { addressOf, callJson, networkAddressOf, type Reply } from '../support/calls.ts';
import { type Account, password } from '../support/sign-up.ts';

const attackers = 40;
const inFlight = 4;
/** So many that one burst of new connections isn't the 95th percentile. */
const signIns = 60;
const pauseMs = 100;
/** A sign-in may take twice as long. Below the floor, the ratio would measure the scheduler. */
const [slowdown, floorMs] = [2, 250];

async function prepare({ signUp }: World) {
  const accounts: Account[] = [];
  while (accounts.length < attackers) accounts.push(...(await Promise.all(Array.from({ length: 10 }, signUp))));
  const { email: login } = await signUp();
  return { cookies: JSON.stringify(accounts.map(({ cookie }) => cookie)), login };
}

type Owner = { url: string; login: string; block: number };

/** Returns the 95th percentile of the milliseconds that sign-ins of other users take, each from a new device and network. */
async function measureSignIns({ url, login, block }: Owner): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < signIns; at += 1) {
    const start = performance.now();
    const body = { email: login, password };
    const { status } = await callJson({ url, path: '/api/login', body, from: networkAddressOf(block, at) });
    times.push(status === 200 ? performance.now() - start : Infinity);
    await delay(pauseMs);
  }
  return percentile(times, 0.95);
}

/** Repeats calls with `senders` at once until the returned function is called, which counts the responses by status. */
function flood(senders: number, send: (at: number) => Promise<Reply>): () => Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  let isOver = false;
  const repeat = async (at: number) => {
    while (!isOver) {
      const status = await send(at).then(
        (reply) => reply.status,
        () => 0,
      );
      counts.set(status, (counts.get(status) ?? 0) + 1);
      // Other attacks send calls as fast as they are refused.
      if (status >= 400 && status !== 401) await delay(2_000);
    }
  };
  const repeated = Promise.all(Array.from({ length: senders }, (_, at) => repeat(at)));
  return async () => {
    isOver = true;
    await repeated;
    return counts;
  };
}

/** Correct step-ups of many accounts, then sign-ins from many addresses of one network, while another user signs in. */
async function attack({ url, input }: Target) {
  const { login = '' } = input;
  const cookies: string[] = JSON.parse(input.cookies ?? '[]');
  const quietMs = await measureSignIns({ url, login, block: 14 });
  const endStepUps = flood(attackers * inFlight, (at) => {
    const headers = { cookie: cookies[at % attackers] ?? '' };
    const body = { password };
    return callJson({ url, path: '/api/user/step-up', headers, body, from: addressOf(15, at) });
  });
  const stepUpsMs = await measureSignIns({ url, login, block: 16 });
  const stepUps = await endStepUps();
  let guesses = 0;
  const endGuesses = flood(attackers * inFlight, () => {
    guesses += 1;
    const body = { email: `unknown-${guesses}@example.test`, password: 'wrong' };
    return callJson({ url, path: '/api/login', body, from: addressOf(17, guesses) });
  });
  const guessesMs = await measureSignIns({ url, login, block: 18 });
  const guessed = await endGuesses();
  const of = (counts: Map<number, number>, status: number) => counts.get(status) ?? 0;
  return {
    ...{ quietMs, stepUpsMs, guessesMs },
    ...{ stepUps: of(stepUps, 204), stepUpsLimited: of(stepUps, 429), stepUpsBusy: of(stepUps, 503) },
    ...{ guesses: of(guessed, 401), guessesLimited: of(guessed, 429), guessesBusy: of(guessed, 503) },
    failed: of(stepUps, 500) + of(guessed, 500),
  };
}

function check({ facts }: Found) {
  const { quietMs = 0, stepUpsMs = Infinity, guessesMs = Infinity } = facts;
  const most = Math.max(floorMs, slowdown * quietMs);
  return {
    'step-ups and sign-ins were checked': Math.min(facts.stepUps ?? 0, facts.guesses ?? 0) > 0,
    'step-ups of others delay no sign-in': stepUpsMs <= most,
    'sign-ins from another network delay no sign-in': guessesMs <= most,
    'no call fails with an internal error': facts.failed === 0,
  };
}

export const stepUps: Attack = { name: 'step-ups', seconds: 0, prepare, run: attack, check };
