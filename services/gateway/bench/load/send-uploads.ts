import { randomBytes } from 'node:crypto';
import http from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { limits } from '@uprez/contracts/policy/limits';
import { makeImage } from '@uprez/testing/make-image';

/** `cookies`: one concurrent upload for each. */
export type Uploads = { url: string; cookies: string[] };

const boundary = 'the-boundary-of-a-bench';
const chunkBytes = 64 * 1024;
const noise = randomBytes(1024 * 1024);

const field = (name: string, value: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const head = Buffer.from(
  `${field('scaleFactor', '2')}${field('engine', 'standard')}--${boundary}\r\nContent-Disposition: form-data; name="image"; filename="bench.jpg"\r\n\r\n`,
);
const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
/** Returns a valid image with ignored bytes after its end marker up to the largest file size. */
const image = await makeImage({ width: 512, height: 512, format: 'jpeg' });

function* body(): Generator<Buffer> {
  yield head;
  yield image;
  for (let left = limits.uploadBytes - image.length; left > 0; left -= chunkBytes) {
    const at = left % (noise.length - chunkBytes);
    yield noise.subarray(at, at + Math.min(left, chunkBytes));
  }
  yield tail;
}

async function upload(url: string, cookie: string): Promise<number> {
  const request = http.request(`${url}/api/images/process`, {
    method: 'POST',
    agent: false,
    headers: {
      cookie,
      prefer: 'respond-async',
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': head.length + limits.uploadBytes + tail.length,
    },
  });
  const answered = new Promise<number>((resolve, reject) => {
    request.once('error', reject);
    request.once('response', (response) => response.resume().once('end', () => resolve(response.statusCode ?? 0)));
  });
  await Promise.all([pipeline(Readable.from(body(), { objectMode: false }), request), answered]);
  return answered;
}

/** Sends uploads of the largest size. Returns the status of each. */
const { url, cookies }: Uploads = JSON.parse(process.argv[2] ?? '');
process.send?.(await Promise.all(cookies.map((cookie) => upload(url, cookie))));
