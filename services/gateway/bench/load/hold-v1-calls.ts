import { setTimeout as delay } from 'node:timers/promises';
import { makeDistinctImages } from '../support/distinct-images.ts';

/** Calls at once, whose jobs no worker starts, that wait for their images, or not at all. */
export type HeldCalls = { url: string; keys: string[]; calls: number; from: number; waitS: number };

/** Pause between two uploads, whose memory is measured by `bench:uploads`. */
const everyMs = 50;

const { url, keys, calls, from, waitS }: HeldCalls = JSON.parse(process.argv[2] ?? '');
const images = await makeDistinctImages(from, calls);
const statuses = Promise.all(
  images.map(async (image, index) => {
    await delay(index * everyMs);
    const send = () =>
      fetch(`${url}/v1/process?engine=standard&scale=2`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${keys[index % keys.length]}`,
          accept: 'image/*',
          'content-type': 'image/jpeg',
          prefer: waitS === 0 ? 'respond-async' : `wait=${waitS}`,
        },
        body: new Uint8Array(image),
      });
    let response = await send();
    // On a busy machine, more images wait for inspection than the gateway accepts.
    for (; response.status === 503; response = await send()) await delay(1_000);
    await response.arrayBuffer();
    return response.status;
  }),
);
process.send?.(await statuses);
