import { AppError, makeFileTooLargeError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import type { Actor } from '@uprez/domain/actor';
import { requireSameFile } from '@uprez/domain/batches/accept-item';
import { requireBulkPermission } from '@uprez/domain/batches/create-batch';
import type { OwnItem } from '@uprez/domain/batches/get-batch';
import { abandonUploads, type ReceivedFile } from '@uprez/domain/intake/accept-files';
import { cleanFilename } from '@uprez/domain/intake/clean-filename';
import type { Upload } from '@uprez/domain/intake/prepare-upload';
import { abandonUpload, beginUpload, maxUploadBytesOf } from '@uprez/domain/uploads/begin-upload';
import type { FastifyRequest } from 'fastify';
import { maxBodyBytesOf } from '../../http/bodies/body-budgets.ts';
import { hasBody, isForm } from '../../http/bodies/request-bodies.ts';
import { openUploadWatch, type UploadWatch } from '../../http/bodies/watch-upload.ts';
import {
  capBody,
  hasBoundary,
  maxFormOverheadBytes,
  type Part,
  readField,
  readParts,
  receiveBody,
  receiveUpload,
  storeReceived,
  toFormError,
  type UploadDeps,
} from '../uploads/receive-upload.ts';

type FilePart = Extract<Part, { type: 'file' }>;
type ReceivedFiles = { files: ReceivedFile[]; fields: [name: string, value: string][] };

const fields = limits.formFields;
const partLimits = {
  // One file more than allowed, because the parser would otherwise throw its own error instead of ours.
  files: limits.batchItems + 1,
  fields,
  parts: limits.batchItems + 1 + fields,
};
/** Maximum amount of data that has been read from the connection, but not yet by the parser, in bytes. */
const readAheadBytes = 1024 * 1024;

/**
 * Reads a form with many images in `images`. Images stream into storage one at a time as they arrive, and text fields
 * can come before or after them. A file that is too large or empty doesn't affect the other files. Any other error
 * removes everything that was stored, and is thrown: `malformed_multipart`, `no_image`, `invalid_parameter`, or
 * `file_too_large` if the whole form is too large. Throws `plan_feature` for the first file beyond the plan's limit,
 * before storing that file.
 */
export async function receiveFiles(deps: UploadDeps, actor: Actor, request: FastifyRequest): Promise<ReceivedFiles> {
  if (!request.isMultipart() || !hasBoundary(request.headers['content-type']))
    throw new AppError('malformed_multipart');
  const maxBytes = actor.plan.bulkFiles * maxUploadBytesOf(actor) + maxFormOverheadBytes;
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw makeFileTooLargeError(maxBytes);
  const watch = await openUploadWatch(deps, request, maxBytes);
  const { socket } = request.raw;
  const end = socket.bytesRead + maxBodyBytesOf(request, maxBytes);
  const leftBytes = () => Math.max(0, end - socket.bytesRead) + readAheadBytes;
  const stopCap = capBody(request, watch, maxBytes);
  const form: ReceivedFiles = { files: [], fields: [] };
  try {
    const options = { limits: { ...partLimits, fileSize: maxUploadBytesOf(actor) }, signal: watch.signal };
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

/** `before`: number of files before this one. `leftBytes`: returns the maximum number of bytes left in the form. */
type Receiving = {
  part: FilePart;
  before: number;
  watch: UploadWatch;
  leftBytes: () => number;
  request: FastifyRequest;
};

async function receiveOne(
  deps: UploadDeps,
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
  requireBulkPermission(actor.plan, before + 1);
  const filename = cleanFilename(part.filename);
  const begun = await beginUpload(deps, { actor, bytes: Math.min(maxUploadBytesOf(actor), leftBytes()) });
  const upload = await storeReceived(deps, begun, { request, source: part.file, signal: watch.signal });
  const error = part.file.truncated
    ? makeFileTooLargeError(maxUploadBytesOf(actor))
    : upload.sizeBytes === 0 && new AppError('empty_file');
  if (!error) return { filename, upload: { ...upload, filename } };
  await abandonUpload(deps, upload);
  return { filename, error };
}

/**
 * Streams the file of a batch item into storage. The file is the request body, or the field `image` of a form without
 * other fields. Throws the errors of `receiveUpload` after deleting the file.
 */
export async function receiveItem(deps: UploadDeps, actor: Actor, request: FastifyRequest): Promise<Upload> {
  if (!isForm(request)) return receiveBody(deps, actor, request);
  const { upload, fields } = await receiveUpload(deps, actor, request);
  const [field] = fields;
  if (!field) return upload;
  await abandonUpload(deps, upload);
  throw new AppError('invalid_parameter', {
    param: field[0].slice(0, 40),
    detail: 'Set the options on the batch, not on its items.',
  });
}

/**
 * Checks that a file is the one that an item already has, such as when a request is repeated, and discards the new
 * copy. Doesn't read the body if the declared length already differs, or if the item has no job. Throws
 * `item_has_file`, and the errors of `receiveItem`.
 */
export async function requireUnchangedFile(
  deps: UploadDeps,
  actor: Actor,
  { own, request }: { own: OwnItem; request: FastifyRequest },
): Promise<void> {
  if (!own.found || !hasBody(request.raw)) return;
  const declared = request.headers['content-length'];
  if (declared !== undefined && !isForm(request)) requireSameFile(own, { sizeBytes: Number(declared) });
  const upload = await receiveItem(deps, actor, request);
  await abandonUpload(deps, upload);
  requireSameFile(own, upload);
}
