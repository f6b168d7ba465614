import { AppError, fileTooLarge } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import type { Actor } from '@uprez/domain/actor';
import { checkBulk } from '@uprez/domain/batches/create-batch';
import { abandonUploads, type ReceivedFile } from '@uprez/domain/intake/accept-bulk';
import { cleanFilename } from '@uprez/domain/intake/clean-filename';
import { abandonUpload, beginUpload, largestUpload } from '@uprez/domain/uploads/begin-upload';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { expectBytes, openUpload, type UploadWatch } from '../../http/bodies/open-upload.ts';
import {
  formBytes,
  hasBoundary,
  type Part,
  readField,
  readParts,
  storeReceived,
  toFormError,
} from './receive-upload.ts';

type FilesDeps = Pick<Deps, 'db' | 'storage' | 'log' | 'bodies'>;
type FilePart = Extract<Part, { type: 'file' }>;
type ReceivedFiles = { files: ReceivedFile[]; fields: [name: string, value: string][] };

const fields = limits.formFields;
const partLimits = {
  // One more than allowed, so that our own error is thrown instead of the parser's.
  files: limits.batchItems + 1,
  fields,
  parts: limits.batchItems + 1 + fields,
};
const overreadCheckMs = 100;
/** Maximum bytes that were read from the connection, but not yet by the parser. */
const readAheadBytes = 1024 * 1024;

/**
 * Reads a form with many images in `images`. Images stream into storage one at a time as they arrive; text fields can
 * come before or after them. A file that is too large or empty is rejected on its own. Any other error removes what was
 * stored and is thrown: `malformed_multipart`, `no_image`, `invalid_parameter`, `file_too_large` for the whole form,
 * and `plan_feature` for the first file beyond the plan's limit, before that file is stored.
 */
export async function receiveFiles(deps: FilesDeps, actor: Actor, request: FastifyRequest): Promise<ReceivedFiles> {
  if (!request.isMultipart() || !hasBoundary(request.headers['content-type']))
    throw new AppError('malformed_multipart');
  const maxBytes = actor.plan.bulkFiles * largestUpload(actor) + formBytes;
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw fileTooLarge(maxBytes);
  const watch = await openUpload(deps, request, maxBytes);
  const { socket } = request.raw;
  const end = socket.bytesRead + expectBytes(request, maxBytes);
  const leftBytes = () => Math.max(0, end - socket.bytesRead) + readAheadBytes;
  const stopCap = capBody(request, watch, maxBytes);
  const form: ReceivedFiles = { files: [], fields: [] };
  try {
    const options = { limits: { ...partLimits, fileSize: largestUpload(actor) }, signal: watch.signal };
    for await (const part of readParts(request, options)) {
      if (part.type === 'field') form.fields.push([part.fieldname, readField(part)]);
      else
        form.files.push(await receiveOne(deps, actor, { part, before: form.files.length, watch, leftBytes, request }));
    }
    if (form.files.length === 0) throw new AppError('no_image', { detail: 'Send the images in the "images" field.' });
    return form;
  } catch (error) {
    await abandonUploads(deps, form.files);
    throw toFormError(error);
  } finally {
    stopCap();
    watch.stop();
  }
}

/**
 * Aborts an upload with `file_too_large` when its body exceeds `maxBytes`, because the rest of a file past its own
 * limit is read and dropped. Returns a function that ends the check.
 */
export function capBody({ raw }: FastifyRequest, watch: UploadWatch, maxBytes: number): () => void {
  const before = raw.socket.bytesRead;
  const timer = setInterval(() => {
    if (raw.socket.bytesRead - before > maxBytes) watch.abort(fileTooLarge(maxBytes));
  }, overreadCheckMs);
  return () => clearInterval(timer);
}

/** `leftBytes` returns the maximum bytes left in the form. */
type Receiving = {
  part: FilePart;
  before: number;
  watch: UploadWatch;
  leftBytes: () => number;
  request: FastifyRequest;
};

async function receiveOne(
  deps: FilesDeps,
  actor: Actor,
  { part, before, watch, leftBytes, request }: Receiving,
): Promise<ReceivedFile> {
  if (part.fieldname !== 'images')
    throw new AppError('invalid_parameter', {
      param: part.fieldname.slice(0, 40),
      detail: 'Send the images in the "images" field.',
    });
  if (before >= limits.batchItems)
    throw new AppError('invalid_parameter', {
      param: 'images',
      detail: `A batch can have up to ${limits.batchItems} images.`,
      allowed: limits.batchItems,
      limitName: 'batch_size',
    });
  checkBulk(actor.plan, before + 1);
  const filename = cleanFilename(part.filename);
  const begun = await beginUpload(deps, { actor, bytes: Math.min(largestUpload(actor), leftBytes()) });
  const upload = await storeReceived(deps, begun, { request, source: part.file, signal: watch.signal });
  const error = part.file.truncated
    ? fileTooLarge(largestUpload(actor))
    : upload.sizeBytes === 0 && new AppError('empty_file');
  if (!error) return { filename, upload: { ...upload, filename } };
  await abandonUpload(deps, upload);
  return { filename, error };
}
