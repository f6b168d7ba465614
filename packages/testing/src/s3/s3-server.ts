import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import { type Accounts, checkSignature } from './check-signature.ts';
import { answerMissingCall, keepFolders, listOpenUploads, waitForFlush } from './s3rver-repairs.ts';

/** hang: no response. unavailable: 503. denied: 403. cut: the connection breaks within the body. reset: at its first byte. */
export type S3Failure = 'hang' | 'unavailable' | 'denied' | 'cut' | 'reset';

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
  let failureOf: (request: string) => S3Failure | undefined = () => undefined;
  const handle = s3rver.callback();
  const server = createServer(async (request, response) => {
    const line = `${request.method} ${request.url}`;
    requests.push(line);
    const failure = failureOf(line);
    if (failure) return misbehave(failure, { request, response, handle });
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
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** `METHOD /path?query` of every request so far. */
    requests,
    /** Makes later requests that match `applies` (default: all) fail. `undefined` ends the failures. */
    setFailure: (failure: S3Failure | undefined, applies: (request: string) => boolean = () => true) => {
      failureOf = (request) => (applies(request) ? failure : undefined);
    },
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

type Exchange = { request: IncomingMessage; response: ServerResponse; handle: RequestListener };

const rejections: Partial<Record<S3Failure, [number, string]>> = {
  unavailable: [503, 'ServiceUnavailable'],
  denied: [403, 'AccessDenied'],
};

function misbehave(failure: S3Failure, { request, response, handle }: Exchange): void {
  if (failure === 'reset') request.socket.destroy();
  const rejection = rejections[failure];
  if (rejection) {
    request.resume();
    response
      .writeHead(rejection[0], { 'content-type': 'application/xml' })
      .end(`<Error><Code>${rejection[1]}</Code></Error>`);
  }
  if (failure !== 'cut') return; // hang: nothing is read and nothing said
  if (request.method === 'PUT') {
    request.once('data', () => request.socket.destroy());
    return;
  }
  response.write = (chunk: Buffer) => {
    response.flushHeaders();
    response.socket?.end(chunk.subarray(0, chunk.length / 2)); // past the response, which would count the bytes
    return false;
  };
  handle(request, response);
}
