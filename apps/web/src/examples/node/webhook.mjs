// Verifies a webhook. The arguments are the headers webhook-id, webhook-timestamp, and
// webhook-signature: node webhook.mjs ID TIMESTAMP SIGNATURE < body.json
import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';

const secret = Buffer.from('whsec_YOUR_SECRET'.slice('whsec_'.length), 'base64');

/** `body`: the unmodified request body. */
function isValid({ id, timestamp, signature }, body) {
  const isRecent = Math.abs(Date.now() / 1_000 - Number(timestamp)) <= 300;
  if (!isRecent) return false;
  const mac = createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest();
  // During a secret rotation, the header contains two signatures.
  return signature.split(' ').some((one) => {
    const given = Buffer.from(one.replace(/^v1,/, ''), 'base64');
    return given.length === mac.length && timingSafeEqual(given, mac);
  });
}

const [id, timestamp, signature] = process.argv.slice(2);
if (!isValid({ id, timestamp, signature }, readFileSync(0))) throw new Error('invalid signature, or too old');
console.log('valid');
