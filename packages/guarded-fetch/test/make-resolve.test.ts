import dgram from 'node:dgram';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import { makeResolve } from '@uprez/guarded-fetch/find-addresses';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

const types = { 1: 'A', 28: 'AAAA' } as Record<number, 'A' | 'AAAA' | undefined>;
const server = dgram.createSocket('udp4');
/** The records of the server: bytes of addresses, a missing hostname (`undefined`), or no response. */
let zone: Record<string, Partial<Record<'A' | 'AAAA', number[]>> | 'silent'> = {};
let asked = 0;
let name = '';
beforeAll(async () => {
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  name = `127.0.0.1:${server.address().port}`;
});
beforeEach(() => {
  asked = 0;
});
afterAll(() => server.close());

/** The hostname of a question ends with an empty label, followed by its type (RFC 1035, 4.1.2). */
server.on('message', (question, from) => {
  asked += 1;
  const end = question.indexOf(0, 12);
  const host = question
    .subarray(13, end)
    .toString('latin1')
    .replace(/\p{Cc}/gu, '.');
  const known = zone[host];
  if (known === 'silent') return;
  const bytes = known?.[types[question.readUInt16BE(end + 1)] ?? 'A'];
  const head = Buffer.from(question.subarray(0, 12));
  head.writeUInt16BE(known ? 0x8180 : 0x8183, 2);
  head.writeUInt16BE(bytes ? 1 : 0, 6);
  head.writeUInt32BE(0, 8);
  const row = bytes
    ? Buffer.concat([
        Buffer.from([0xc0, 12]),
        question.subarray(end + 1, end + 5),
        Buffer.from([0, 0, 0, 60, 0, bytes.length, ...bytes]),
      ])
    : Buffer.alloc(0);
  server.send(Buffer.concat([head, question.subarray(12, end + 5), row]), from.port, from.address);
});

it('returns all IPv4 and IPv6 addresses of a hostname', async () => {
  const six = [0x20, 1, ...Array.from({ length: 13 }, () => 0), 7];
  zone = { 'both.example': { A: [93, 184, 215, 14], AAAA: six }, 'four.example': { A: [10, 0, 0, 7] } };
  const resolve = makeResolve([name]);
  expect(await resolve('both.example')).toEqual(['93.184.215.14', '2001::7']);
  expect(await resolve('four.example')).toEqual(['10.0.0.7']);
});

it('throws ENOTFOUND for a missing hostname', async () => {
  zone = {};
  await expect(makeResolve([name])('missing.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

it('blocks no threads of the file system for slow hostnames', async () => {
  zone = { 'slow.example': 'silent' };
  const resolve = makeResolve([name]);
  let over = 0;
  const slow = Array.from({ length: 12 }, () =>
    resolve('slow.example').catch(({ code }: { code: string }) => {
      over += 1;
      return code;
    }),
  );
  while (asked < 12) await new Promise(setImmediate);
  expect((await fs.stat('.')).isDirectory()).toBe(true);
  expect(over).toBe(0);
  for (const code of await Promise.all(slow)) expect(code).toBe('ETIMEOUT');
});
