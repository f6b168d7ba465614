import { makePicture } from '@uprez/testing/make-picture';
import type { SignedIn } from '@uprez/testing/sign-up';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { finishJob } from './support/finish-job.ts';
import { makeMultipart } from './support/multipart.ts';
import { startTestGateway, type TestGateway } from './support/start-test-gateway.ts';

let gateway: TestGateway;
let user: SignedIn;
let picture: Buffer;
beforeAll(async () => {
  gateway = await startTestGateway();
  user = await gateway.signUp();
  picture = await makePicture({ width: 8, height: 8 });
});
afterAll(() => gateway.close());

/** As they come on the wire; browsers write a quote as %22 and line ends as %0D%0A. */
const hostile = [
  '../../../etc/passwd',
  '..\\..\\windows\\system32\\config.png',
  '/etc/shadow',
  'C:\\Users\\ada\\photo.png',
  '\\\\server\\share\\photo.png',
  '....//....//photo.png',
  '..',
  '.',
  '...',
  '.htaccess',
  '.png',
  ' ',
  '\t',
  'photo.png/',
  'a/b/c/',
  'nul',
  'con.png',
  'photo.png::$DATA',
  'photo\u0000.png',
  'photo\u0001\u001f\u007f.png',
  'photo\u0085\u009f.png',
  'photo\u001b[31mred.png',
  'photo\u202egnp.exe',
  'photo\u2066x\u2069.png',
  'photo\u200f\u200e\u061c.png',
  'photo\u2028\u2029.png',
  'photo\ufeff.png',
  'x'.repeat(300),
  `${'x'.repeat(300)}.png`,
  '名'.repeat(300),
  '😀'.repeat(200),
  `${'x'.repeat(254)}😀.png`,
  '👨‍👩‍👧‍👦.png',
  'e\u0301te\u0301.png',
  '\u00e9t\u00e9.png',
  'ünïcödé.png',
  'صورة.png',
  '写真.png',
  '%22quoted%22.png',
  "it's.png",
  'a;b=c.png',
  'a,b.png',
  'a\\"b.png',
  'photo%0D%0ASet-Cookie: a=b.png',
  '%2e%2e%2fphoto.png',
  '%00.png',
  '<script>alert(1)</script>.png',
  '"><img src=x onerror=alert(1)>.png',
  '$(reboot).png',
  "'; drop table jobs; --.png",
  '=cmd|calc!A1.png',
  'photo.png?x=1#y',
];

const unsafe = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}/\\]/u;

async function upload(filename: string): Promise<{ id: string; filename: string }> {
  const { body, contentType } = makeMultipart([
    { name: 'image', filename, data: picture },
    { name: 'engine', data: 'standard' },
  ]);
  const response = await user.fetch(`${gateway.url}/api/images/process`, {
    method: 'POST',
    headers: { 'content-type': contentType, prefer: 'respond-async' },
    body,
  });
  expect(response.status, await response.clone().text()).toBe(202);
  return (await response.json()) as { id: string; filename: string };
}

it('there are 50 of them at least', () => {
  expect(new Set(hostile).size).toBeGreaterThanOrEqual(50);
});

it.each(hostile)('a hostile name is a text and nothing else: %j', async (sent) => {
  const job = await upload(sent);
  expect(job.filename).not.toMatch(unsafe);
  expect(job.filename).not.toMatch(/^\.*$/);
  expect([...job.filename].length).toBeLessThanOrEqual(255);
  const { db } = gateway.ctx;
  const objects = await db.selectFrom('objects').select('key').where('job_id', '=', job.id).execute();
  for (const { key } of objects) expect(key).toMatch(/^uploads\/[0-9a-f-]{36}$/);
  await finishJob(gateway.ctx, job.id);
  const { data } = await user.client.getJob({ params: { id: job.id } });
  for (const path of [data.downloadUrl ?? '', `/api/images/download/${job.id}`]) {
    const response = await user.fetch(`${gateway.url}${path}`);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('the bytes of a result');
    expect(response.headers.getSetCookie()).toEqual([]);
    expectSafeHeader(response.headers.get('content-disposition') ?? '', job.filename);
  }
});

/** `attachment; filename="..."; filename*=UTF-8''...` (RFC 6266), naming the file and holding nothing else. */
function expectSafeHeader(header: string, filename: string): void {
  const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
  const quoted = '"(?:[\\x20-\\x21\\x23-\\x5b\\x5d-\\x7e\\xa0-\\xff]|\\\\[\\x20-\\x7e])*"';
  const extended = "UTF-8''(?:[!#$&+.^_`|~0-9A-Za-z-]|%[0-9A-F]{2})+";
  const whole = new RegExp(`^attachment; filename=(${token}|${quoted})(?:; filename\\*=(${extended}))?$`);
  const [, plain = '', coded] = whole.exec(header) ?? [];
  expect(plain, header).not.toBe('');
  const base = filename.replace(/\.[A-Za-z0-9]{1,5}$/, '') || 'image';
  const name = coded
    ? decodeURIComponent(coded.slice("UTF-8''".length))
    : plain.replace(/^"|"$/g, '').replace(/\\(.)/g, '$1');
  expect(name).toBe(`${base}-2x.png`);
}

it('two spellings of one name are both kept as they are', async () => {
  const [composed, decomposed] = [await upload('\u00e9.png'), await upload('e\u0301.png')];
  expect(composed.filename).toBe('\u00e9.png');
  expect(decomposed.filename).toBe('e\u0301.png');
});
