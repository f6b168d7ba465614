import { expect, test } from 'vitest';
import { openLogger } from './open-logger.ts';

const canaries = {
  password: 'canary-password',
  token: 'canary-token',
  secret: 'canary-secret',
  authorization: 'Bearer canary-authorization',
  cookie: 'session=canary-cookie',
  email: 'canary@example.test',
  sig: 'canary-sig',
  'idempotency-key': 'canary-idempotency-key',
  idempotencyKey: 'canary-idempotency-key',
  filename: 'canary-filename',
  'x-forwarded-for': 'canary-address',
  'cf-connecting-ip': 'canary-address',
  'x-real-ip': 'canary-address',
  remoteAddress: 'canary-address',
  rawPacket: 'canary-packet',
  referer: 'https://canary.example',
};

function log(facts: object, message = 'something happened'): string {
  let written = '';
  const logger = openLogger({ service: 'test', level: 'info', destination: { write: (line) => (written += line) } });
  logger.info(facts, message);
  return written;
}

test.each([
  ['at the top level', canaries],
  ['one level down', { user: canaries }],
  ['two levels down', { job: { owner: canaries } }],
  ['three levels down', { answer: { job: { owner: canaries } } }],
  ['in an array', { users: [canaries, canaries] }],
  ['in the headers of a request', { req: { headers: canaries } }],
  ['on an error', { err: Object.assign(new Error('broken'), canaries) }],
  ['on the cause of an error', { err: new Error('broken', { cause: Object.assign(new Error('deep'), canaries) }) }],
])('redacts secrets and email addresses %s', (_, facts) => {
  const line = log(facts);
  expect(line).not.toContain('canary');
  expect(line).toContain('something happened');
});

test('redacts the values that PostgreSQL quotes in an error', () => {
  const err = Object.assign(new Error('duplicate key'), {
    code: '23505',
    detail: 'Key (email)=(canary@example.test)',
    where: 'JSON data, line 1: {"siteName":"canary',
    internalQuery: "select 'canary'",
  });
  const line = log({ err });
  expect(line).not.toContain('canary');
  expect(line).toContain('23505');
});

test('redacts fields regardless of case', () => {
  expect(log({ Password: 'canary', headers: { 'Set-Cookie': 'canary', 'Idempotency-Key': 'canary' } })).not.toContain(
    'canary',
  );
});

test('keeps other fields', () => {
  expect(JSON.parse(log({ jobId: 'a', attempt: 2, stagesMs: { decode: 3 } }))).toMatchObject({
    service: 'test',
    jobId: 'a',
    attempt: 2,
    stagesMs: { decode: 3 },
    msg: 'something happened',
  });
});

test('keeps the message and stack of an error', () => {
  const { err } = JSON.parse(log({ err: new Error('broken pipe') })) as { err: { message: string; stack: string } };
  expect(err.message).toBe('broken pipe');
  expect(err.stack).toContain('open-logger.test.ts');
});

test('keeps line breaks and control characters within one line', () => {
  const line = log({ line: 'a\n{"level":60}\r\u001b[31m' }, 'two\nlines');
  expect(line.trimEnd().split('\n')).toHaveLength(1);
  expect(line).not.toContain('\u001b');
  expect(JSON.parse(line)).toMatchObject({ msg: 'two\nlines' });
});

test('cuts long texts and lists', () => {
  const err = new Error('x'.repeat(1_000_000));
  const line = log({ err, name: 'y'.repeat(1_000_000), list: Array.from({ length: 1_000_000 }, () => 'z') });
  expect(line.length).toBeLessThan(40_000);
  expect(line.trimEnd().split('\n')).toHaveLength(1);
  expect(JSON.parse(line)).toMatchObject({ msg: 'something happened' });
});

test('writes an object that contains itself', () => {
  const facts: Record<string, unknown> = { jobId: 'a', password: 'canary' };
  facts.self = facts;
  expect(log(facts)).toContain('"jobId":"a"');
  expect(log(facts)).not.toContain('canary');
});
