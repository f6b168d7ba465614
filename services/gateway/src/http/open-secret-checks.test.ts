import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { expect, it } from 'vitest';
import { openSecretChecks } from './open-secret-checks.ts';

const refused = { error: 'bad_api_key' };
const limited = { error: 'rate_limited' };

/** Checks with a clock, and rows by their secrets. `finds`: the secrets that were looked up. */
function open() {
  let nowMs = 0;
  const finds: string[] = [];
  const callers: (string | undefined)[] = [];
  const failures = new Set<string>();
  const rows = new Map([['right', 'account:1']]);
  const checks = openSecretChecks({ scale: 1, delayMs: 0, now: () => nowMs });
  const send = (secret: string, { prefix = 'a', sort = 'key', isSigned = false } = {}) => {
    const find = async () => {
      finds.push(secret);
      if (failures.delete(secret)) throw new Error('the database failed');
      const row = rows.get(secret);
      if (!row) throw new AppError('bad_api_key');
      return row;
    };
    const lookup = { prefix, find, callerOf: (row: string) => row, onCaller: (key?: string) => callers.push(key) };
    return checks.find({ sort, secret, isSigned }, lookup).catch((error: AppError) => ({ error: error.code }));
  };
  const flood = async (count: number, prefix = 'a') => {
    const replies = await Promise.all(
      Array.from({ length: count }, (_, at) => send(`wrong ${prefix} ${at}`, { prefix })),
    );
    return replies.filter((reply) => typeof reply === 'object' && reply.error === limited.error).length;
  };
  return { finds, failures, callers, rows, send, flood, pass: (ms: number) => (nowMs += ms) };
}

it('limits the unknown secrets of a prefix, and fills its budget up gradually', async () => {
  const { send, flood, pass, finds } = open();
  expect(await flood(limits.unknownSecrets + 5)).toBe(5);
  expect(finds).toHaveLength(limits.unknownSecrets);
  expect(await send('right')).toEqual(limited);
  expect(await send('right', { prefix: 'b' })).toBe('account:1');
  pass(60_000 / limits.unknownSecrets);
  expect(await send('right')).toBe('account:1');
});

it('looks up a secret that was right before, and one of another sort, while its prefix is at the limit', async () => {
  const { send, flood, callers } = open();
  await send('right');
  await flood(limits.unknownSecrets);
  callers.length = 0;
  expect(await send('right')).toBe('account:1');
  expect(callers).toEqual(['account:1', 'account:1']);
  expect(await send('wrong', { sort: 'link' })).toEqual(refused);
});

it('looks up an unknown secret once, and takes its caller from one that is no longer right', async () => {
  const { send, finds, rows, callers } = open();
  await send('right');
  rows.clear();
  for (let i = 0; i < 3; i += 1) expect(await send('right')).toEqual(refused);
  expect(finds).toEqual(['right', 'right']);
  expect(callers.at(-1)).toBeUndefined();
});

it('counts requests with the same secret at once as one', async () => {
  const { send, flood, finds } = open();
  const sendOften = (secret: string) => Promise.all(Array.from({ length: 10 }, () => send(secret)));
  expect(new Set(await sendOften('right'))).toEqual(new Set(['account:1']));
  await sendOften('wrong');
  expect(finds.filter((secret) => secret === 'wrong')).toHaveLength(1);
  expect(await flood(limits.unknownSecrets)).toBe(1);
});

it('counts only secrets that are refused', async () => {
  const { send, flood, rows } = open();
  for (let i = 0; i < limits.unknownSecrets; i += 1) rows.set(String(i), `account:${i}`);
  await Promise.all(Array.from({ length: limits.unknownSecrets }, (_, at) => send(String(at))));
  expect(await flood(limits.unknownSecrets)).toBe(0);
});

it('looks up signed secrets without a limit, but an unknown one only once', async () => {
  const { send, finds } = open();
  const count = limits.unknownSecrets + 5;
  const sent = Array.from({ length: count }, (_, at) => send(`wrong ${at}`, { sort: 'session', isSigned: true }));
  expect(await Promise.all(sent)).toEqual(sent.map(() => refused));
  await send('wrong 1', { sort: 'session', isSigned: true });
  expect(finds).toHaveLength(count);
});

it('looks up a secret once more, not once per request, after the first lookup failed', async () => {
  const { send, finds, failures } = open();
  failures.add('wrong');
  const replies = await Promise.all(Array.from({ length: 10 }, () => send('wrong')));
  expect(replies).toEqual([{ error: undefined }, ...Array.from({ length: 9 }, () => refused)]);
  expect(finds).toEqual(['wrong', 'wrong']);
});
