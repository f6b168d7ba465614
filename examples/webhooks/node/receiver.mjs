// Receives webhooks: UPREZ_WEBHOOK_SECRET=whsec_... node receiver.mjs
// Each event is stored in the folder "events" before the response. Another program can process the files.
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { verifyWebhook, WebhookVerificationError } from '@uprez/sdk-node';

const { UPREZ_WEBHOOK_SECRET: secret = '', EVENTS_DIR: folder = 'events', PORT: port = '8080' } = process.env;
// During a rotation, set the new and the old secret, separated by a space.
const secrets = secret.split(' ').filter(Boolean);
if (secrets.length === 0) throw new Error('Set UPREZ_WEBHOOK_SECRET to the secret of the endpoint.');
const maxBytes = 256 * 1024;
await mkdir(folder, { recursive: true });

/** Returns the status code of the response. After any other than 2xx, the event is sent again later. */
async function receive(request) {
  if (request.method !== 'POST') return 405;
  if (!(Number(request.headers['content-length']) <= maxBytes)) return 413;
  // The signature covers the unmodified bytes.
  const body = await buffer(request);
  const event = verifyWebhook(body, request.headers, secrets);
  // An event can arrive more than once. Its ID names the file, so it is stored once.
  await writeFile(`${folder}/${event.id}.json`, body);
  return 204;
}

createServer(async (request, response) => {
  const status = await receive(request).catch((error) => {
    if (error instanceof WebhookVerificationError) return 400;
    console.error(error);
    return 500;
  });
  response.writeHead(status).end();
}).listen(Number(port));
