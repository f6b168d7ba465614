import { readdir, readFile, rm, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';

// Where s3rver keeps the parts of unfinished uploads.
const uploadsOf = (directory: string, bucket: string) => join(directory, bucket, '._S3rver_uploads');

/** Ids of the unfinished multipart uploads of a bucket. */
export async function listOpenUploads(directory: string, bucket: string): Promise<string[]> {
  return readdir(uploadsOf(directory, bucket)).catch(() => []);
}

/** Answers AbortMultipartUpload and ListMultipartUploads, which s3rver lacks; false for every other call. */
export async function answerUploadsCall(
  directory: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const url = new URL(request.url ?? '/', 'http://s3.local');
  const bucket = url.pathname.split('/')[1] ?? '';
  const uploadId = url.searchParams.get('uploadId');
  if (request.method === 'DELETE' && uploadId) {
    const known = (await listOpenUploads(directory, bucket)).includes(uploadId);
    if (known) await rm(join(uploadsOf(directory, bucket), uploadId), { recursive: true });
    answer(response, known ? 204 : 404, known ? '' : '<Error><Code>NoSuchUpload</Code></Error>');
    return true;
  }
  if (request.method === 'GET' && url.searchParams.has('uploads')) {
    answer(response, 200, await uploadsXml(directory, bucket));
    return true;
  }
  return false;
}

function answer(response: ServerResponse, status: number, xml: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' }).end(xml);
}

async function uploadsXml(directory: string, bucket: string): Promise<string> {
  const ids = await listOpenUploads(directory, bucket);
  const uploads = await Promise.all(
    ids.map(async (id) => {
      const folder = join(uploadsOf(directory, bucket), id);
      const key = await readFile(join(folder, 'key'), 'utf8');
      const initiated = (await stat(join(folder, 'key'))).mtime.toISOString();
      return `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${initiated}</Initiated></Upload>`;
    }),
  );
  return `<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${uploads.join('')}</ListMultipartUploadsResult>`;
}
