import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openS3rver, type S3rverOptions } from './open-s3rver.ts';
import { openFailureInjector } from './s3-failures.ts';
import { listOpenUploads } from './s3rver-repairs.ts';

export type S3Server = Awaited<ReturnType<typeof startS3Server>>;

/** Starts an S3 server on a free loopback port, with a new folder. Tests can make its requests fail. */
export async function startS3Server(options: Omit<S3rverOptions, 'directory'> = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'uprez-s3-'));
  const { handle, listener } = openS3rver({ directory, ...options });
  const requests: string[] = [];
  const failures = openFailureInjector();
  const server = createServer(async (request, response) => {
    const line = `${request.method} ${request.url}`;
    requests.push(line);
    if (await failures.fail(line, { request, response, handle })) return;
    await listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    /** All requests so far, as `METHOD /path?query`. */
    requests,
    setFailure: failures.setFailure,
    setFailures: failures.setFailures,
    /** Refuses connections until `accept`. */
    refuse: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    accept: () => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve)),
    /** Returns the path of the file with an object's bytes, for tests that corrupt it. */
    objectPath: (bucket: string, key: string) => join(directory, bucket, `${key}._S3rver_object`),
    /** Returns the IDs of unfinished multipart uploads. */
    openUploads: (bucket: string) => listOpenUploads(directory, bucket),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(directory, { recursive: true, force: true });
    },
  };
}
