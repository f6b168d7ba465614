import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import { type Accounts, checkSignature } from './check-signature.ts';
import { openFailures } from './s3-failures.ts';
import { answerMissingCall, keepFolders, listOpenUploads, waitForFlush } from './s3rver-repairs.ts';

export type S3Server = Awaited<ReturnType<typeof startS3Server>>;

/**
 * Starts s3rver on a free loopback port, with missing calls (abort and list multipart uploads, pages of listings) and
 * failures on demand. `accounts`: the only valid credentials (default: any). `pageSize`: objects per page of a listing.
 */
export async function startS3Server({ accounts, pageSize }: { accounts?: Accounts; pageSize?: number } = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'uprez-s3-'));
  const s3rver = new S3rver({ directory, silent: true, vhostBuckets: false });
  waitForFlush(s3rver, directory);
  keepFolders(s3rver, directory);
  const requests: string[] = [];
  const failures = openFailures();
  const handle = s3rver.callback();
  const server = createServer(async (request, response) => {
    const line = `${request.method} ${request.url}`;
    requests.push(line);
    if (await failures.fail(line, { request, response, handle })) return;
    const rejection = findRejection(request, accounts);
    if (rejection) {
      response.writeHead(rejection.status, { 'content-type': 'application/xml' });
      return response.end(request.method === 'HEAD' ? '' : `<Error><Code>${rejection.code}</Code></Error>`);
    }
    // s3rver knows one account only.
    if (accounts) delete request.headers.authorization;
    if (!(await answerMissingCall({ s3rver, directory, pageSize, request, response }))) handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    /** `METHOD /path?query` of every request so far. */
    requests,
    setFailure: failures.setFailure,
    setFailures: failures.setFailures,
    /** Refuses connections until `accept`. */
    refuse: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    accept: () => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve)),
    /** Returns the file with an object's bytes, to damage it. */
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

/** As servers do that predate other checksums, a deletion of many objects without Content-MD5 is rejected. */
function findRejection(request: IncomingMessage, accounts: Accounts | undefined) {
  const code = accounts && checkSignature(request, accounts);
  if (code) return { status: 403, code };
  const isBare = /\?delete\b/.test(request.url ?? '') && !request.headers['content-md5'];
  return isBare ? { status: 400, code: 'InvalidRequest' } : undefined;
}
