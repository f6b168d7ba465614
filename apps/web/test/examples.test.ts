import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import os from 'node:os';
import { fileURLToPath } from 'node:url';
import { webhookSecretPrefix } from '@uprez/contracts/schemas/webhook-events';
import { makeImage } from '@uprez/testing/make-image';
import { isLeftOut } from '@uprez/testing/programs/toolchains';
import { signUp } from '@uprez/testing/sign-up';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readZip } from '../../../services/gateway/test/support/http/read-zip.ts';
import { documentationMessages } from '../src/features/documentation/messages.ts';
import { fillPlaceholders, secretPlaceholder } from '../src/ui/code/example-values.ts';
import { languageNames, languages } from '../src/ui/code/languages.ts';
import { openHurriedProxy } from './support/open-hurried-proxy.ts';
import { type ExampleRun, runExample } from './support/run-example.ts';
import { startFetchingSite } from './support/start-fetching-site.ts';

const folder = fileURLToPath(new URL('../src/examples', import.meta.url));
const sizeOf = async (image: Buffer) => {
  const { format, width, height } = await sharp(image).metadata();
  return [format, width, height];
};

/** Checks the output of each example for an image of 40 x 30. */
const results: Record<string, (ran: ExampleRun) => Promise<void>> = {
  image: async ({ read }) => expect(await sizeOf(await read('large.jpg'))).toEqual(['jpeg', 160, 120]),
  upscale: async ({ read }) => expect(await sizeOf(await read('upscaled.jpg'))).toEqual(['jpeg', 160, 120]),
  url: async ({ read }) => expect(await sizeOf(await read('card.webp'))).toEqual(['webp', 640, 480]),
  retry: async ({ read }) => expect(await sizeOf(await read('upscaled.jpg'))).toEqual(['jpeg', 80, 60]),
  'dry-run': async ({ stdout }) => expect(stdout).toMatch(/320[\s\S]*240/),
  batch: async ({ read }) => {
    const files = readZip(await read('images.zip'));
    expect(await Promise.all([...files.values()].map(sizeOf))).toEqual([
      ['jpeg', 80, 60],
      ['jpeg', 40, 40],
    ]);
  },
};

const body = JSON.stringify({ type: 'job.completed', data: { filename: 'Übung.jpg' } });
const secretBytes = randomBytes(24);
const secret = `${webhookSecretPrefix}${secretBytes.toString('base64')}`;
/** Returns the three headers of a webhook as in Standard Webhooks. */
const sign = (id: string, time: number): string[] => [
  id,
  String(time),
  `v1,${createHmac('sha256', secretBytes).update(`${id}.${time}.${body}`).digest('base64')}`,
];

let site: Awaited<ReturnType<typeof startFetchingSite>>;
let hurried: Awaited<ReturnType<typeof openHurriedProxy>>;
let key: string;
beforeAll(async () => {
  const remote = await makeImage({ width: 200, height: 150, format: 'jpeg' });
  site = await startFetchingSite((_request, response) => response.end(remote));
  hurried = await openHurriedProxy(site.url);
  const { client, user } = await signUp(site.url);
  const values = { tier: 'api_basic', emailVerified: true } as const;
  await site.product.db.updateTable('users').set(values).where('id', '=', user.id).execute();
  key = (await client.createApiKey({ body: { name: 'Examples' } })).data.key;
});
afterAll(async () => {
  await hurried?.close();
  expect((await site.product.settle(20_000)).errors).toEqual([]);
  await site?.close();
});

async function countJobs(): Promise<number> {
  const { db } = site.product;
  const { count } = await db.selectFrom('jobs').select(db.fn.countAll().as('count')).executeTakeFirstOrThrow();
  return Number(count);
}

/** Creates new images for each run, because the same image would return a stored result. */
let seed = 0;
const makeGiven = async () => {
  seed += 1;
  return {
    'photo.jpg': await makeImage({ width: 40, height: 30, format: 'jpeg', seed }),
    'second.jpg': await makeImage({ width: 20, height: 20, format: 'jpeg', seed }),
  };
};

describe.each(languageNames)('%s', (language) => {
  const { ending } = languages[language];

  test('has every example', () => {
    const names = [...Object.keys(results), 'webhook'].map((name) => `${name}.${ending}`);
    expect(readdirSync(`${folder}/${language}`).sort()).toEqual(names.sort());
  });

  test.skipIf(isLeftOut(language)).each(Object.entries(results))(
    `${language}: "%s" works unchanged`,
    async (name, check) => {
      const file = `${name}.${ending}`;
      const code = fillPlaceholders(readFileSync(`${folder}/${language}/${file}`, 'utf8'), { address: site.url, key });
      await check(await runExample({ language, file, code, given: await makeGiven() }));
    },
  );

  test.skipIf(isLeftOut(language)).each(['upscale', 'url', 'retry'])(
    `${language}: "%s" waits for an unfinished image, and creates no second job when repeated`,
    async (name) => {
      const file = `${name}.${ending}`;
      const code = fillPlaceholders(readFileSync(`${folder}/${language}/${file}`, 'utf8'), {
        address: hurried.url,
        key,
      });
      const given = await makeGiven();
      const run = () => runExample({ language, file, code, given, args: [`${language}-${seed}`] });
      const before = await countJobs();
      await results[name]?.(await run());
      if (name !== 'retry') return;
      await results[name]?.(await run());
      expect(await countJobs()).toBe(before + 1);
    },
  );

  test.skipIf(isLeftOut(language))(`${language}: "image" saves nothing but the image`, async () => {
    const file = `image.${ending}`;
    const source = readFileSync(`${folder}/${language}/${file}`, 'utf8');
    const given = await makeGiven();
    const code = fillPlaceholders(source, { address: site.url, key: `${key}x` });
    const failure = await runExample({ language, file, code, given }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    const { message, stdout = '', folder: cwd = '' } = failure as Error & { stdout?: string; folder?: string };
    expect(message + stdout).toMatch(/bad_api_key/);
    expect(readdirSync(cwd)).not.toContain('large.jpg');
  });

  test.skipIf(isLeftOut(language))(`${language}: "image" says where an unfinished image is`, async () => {
    const file = `image.${ending}`;
    const source = readFileSync(`${folder}/${language}/${file}`, 'utf8');
    const given = await makeGiven();
    const code = fillPlaceholders(source, { address: hurried.url, key });
    const ran = await runExample({ language, file, code, given }).catch((error: unknown) => error);
    const {
      message = '',
      stdout = '',
      folder: cwd = '',
    } = ran as { message?: string; stdout?: string; folder?: string };
    if (language === 'php') expect(message + stdout).toMatch(/Location/);
    else expect(message + stdout).toMatch(/\/v1\/jobs\/[0-9a-f-]{36}/);
    const saved = readdirSync(cwd).includes('large.jpg') ? statSync(`${cwd}/large.jpg`).size : 0;
    expect(saved).toBe(0);
  });

  test.skipIf(isLeftOut(language))(`${language}: rejects forged and old webhooks`, async () => {
    const file = `webhook.${ending}`;
    const code = readFileSync(`${folder}/${language}/${file}`, 'utf8').replaceAll(secretPlaceholder, secret);
    const check = (args: string[], input = body) => runExample({ language, file, code, given: {}, args, input });
    const now = Math.floor(Date.now() / 1_000);
    const signed = sign('event-1', now);
    expect((await check(signed)).stdout).toBe('valid\n');
    const [id = '', time = '', signature = ''] = signed;
    expect((await check([id, time, `v1,${'A'.repeat(43)}= ${signature}`])).stdout).toBe('valid\n');
    await expect(check(signed, `${body} `)).rejects.toThrow(/invalid signature/);
    await expect(check(['event-2', time, signature])).rejects.toThrow(/invalid signature/);
    await expect(check(sign('event-1', now - 600))).rejects.toThrow(/too old/);
  });

  test.skipIf(isLeftOut(language))(`${language}: never runs the headers of a webhook as code`, async () => {
    const file = `webhook.${ending}`;
    const code = readFileSync(`${folder}/${language}/${file}`, 'utf8').replaceAll(secretPlaceholder, secret);
    const mark = `${os.tmpdir()}/uprez-mark-${randomBytes(6).toString('hex')}`;
    const now = Math.floor(Date.now() / 1_000);
    const [id = '', , signature = ''] = sign('event-1', now);
    for (const shell of language === 'curl' ? ['sh', 'bash'] : [undefined])
      for (const time of [`a[$(touch ${mark})]`, `$(touch ${mark})`, `${now} `, `0${now}`, '9'.repeat(40), '', 'now']) {
        const args = [id, time, `*" ${signature} $(touch ${mark})`];
        const run = runExample({ language, file, code, given: {}, args, input: body, ...(shell && { shell }) });
        await expect(run).rejects.toThrow(/too old|invalid signature/);
      }
    expect(existsSync(mark)).toBe(false);
  });
});

test('the documented commands of the CLI show the cost of a folder', async () => {
  const program = fileURLToPath(new URL('../../../packages/cli/bin/uprez.js', import.meta.url));
  const prepare = `set -e\nmkdir photos\nmv photo.jpg photos\nuprez() { node '${program}' "$@"; }\n`;
  const code = prepare + fillPlaceholders(documentationMessages.sdks.cli.commands, { address: site.url, key });
  const { stdout } = await runExample({ language: 'curl', file: 'cli.sh', code, given: await makeGiven() });
  expect(stdout).toMatch(/photo\.jpg[\s\S]*160/);
});
