import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { signEvent } from '@uprez/domain/webhooks/event-message';
import { oldestNode } from '@uprez/testing/programs/node-programs';
import { waitUntil } from '@uprez/testing/wait-until';
import { expect, it } from 'vitest';

const packageDir = fileURLToPath(new URL('..', import.meta.url));
const secret = `whsec_${Buffer.from('a secret of some length').toString('base64')}`;

async function findPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Returns the webhook server of the README. */
async function readServer(port: number): Promise<string> {
  const text = await readFile(`${packageDir}/README.md`, 'utf8');
  const code = [...text.matchAll(/```js\n([\s\S]*?)```/g)].map(([, one = '']) => one);
  return (code.find((one) => one.includes('createServer')) ?? '').replace('3000', String(port));
}

it('responds with 400 to invalid signatures and keeps running, in the README example', async () => {
  const port = await findPort();
  const args = ['--input-type=module', '--eval', await readServer(port)];
  const env = { PATH: process.env.PATH ?? '', UPREZ_WEBHOOK_SECRET: secret };
  const server = spawn(oldestNode, args, { cwd: packageDir, env });
  let output = '';
  server.stdout.on('data', (chunk) => {
    output += chunk;
  });
  try {
    const body = JSON.stringify({ id: 'e1', type: 'job.completed', data: { job_id: 'job-1' } });
    const headers = signEvent({ id: 'e1', at: new Date(), body, secrets: [secret] });
    const post = async (text: string, more: Record<string, string> = {}) =>
      (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers: more, body: text })).status;
    await waitUntil(() => post('{}').then(Boolean, () => false));
    expect(await post('forged')).toBe(400);
    expect(await post(`${body} `, headers)).toBe(400);
    expect(await post(body, headers)).toBe(204);
    expect(output).toBe('job-1\n');
  } finally {
    server.kill();
  }
});
