import type { Readable } from 'node:stream';
import { AppError, fileTooLarge } from '@uprez/contracts/errors/app-error';
import { mediaLimits } from '@uprez/contracts/policy/media';
import { cleanFilename } from '@uprez/domain/intake/clean-filename';
import type { ReceivedMedia } from '@uprez/domain/media/check-file';
import type { FastifyRequest } from 'fastify';
import { watchUpload } from '../../http/bodies/watch-upload.ts';
import { readParts, toFormError } from '../uploads/read-parts.ts';
import { capBody } from '../uploads/receive-files.ts';
import { formBytes, hasBoundary } from '../uploads/receive-upload.ts';

/** `field`: the form field of the files, of which there may be `most`. */
type Form = { field: string; most: number };
type Take = (file: ReceivedMedia, signal: AbortSignal) => Promise<void>;

/**
 * Reads a form, and passes each file to `take` before the next one is read. Throws `malformed_multipart`, `no_file`,
 * `too_many_files`, `file_too_large` for the whole form, `invalid_parameter` for other fields, and the errors of `take`.
 */
export async function receiveMedia(request: FastifyRequest, { field, most }: Form, take: Take): Promise<void> {
  if (!request.isMultipart() || !hasBoundary(request.headers['content-type']))
    throw new AppError('malformed_multipart');
  const maxBytes = most * mediaLimits.fileBytes + formBytes;
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw fileTooLarge(mediaLimits.fileBytes);
  const watch = watchUpload(request.raw);
  const stopCap = capBody(request, watch, maxBytes);
  let received = 0;
  try {
    // One more of each than may be, so that it is refused by name.
    const limits = { fileSize: mediaLimits.fileBytes, files: most + 1, fields: 1, parts: most + 2 };
    for await (const part of readParts(request, { limits, signal: watch.signal })) {
      if (part.type !== 'file' || part.fieldname !== field) throw wrongField(part.fieldname, field);
      if (received === most) throw tooMany({ field, most });
      const bytes = await readAll(part.file);
      watch.signal.throwIfAborted();
      received += 1;
      await take({ name: nameOf(part.filename), bytes, isCut: part.file.truncated }, watch.signal);
    }
    if (received === 0) throw new AppError('no_file');
  } catch (error) {
    throw toFormError(error);
  } finally {
    stopCap();
    watch.stop();
  }
}

const wrongField = (name: string, field: string) =>
  new AppError('invalid_parameter', {
    param: name.slice(0, 40),
    detail: `Send ${field === 'file' ? 'the file' : 'the files'} in the "${field}" field.`,
  });

const tooMany = ({ field, most }: Form) =>
  most > 1
    ? new AppError('too_many_files', { meta: { limit: most } })
    : new AppError('invalid_parameter', { param: field, detail: `"${field}" was sent more than once.` });

const nameOf = (sent: string | undefined) => {
  const name = [...cleanFilename(sent)].slice(-mediaLimits.nameLength).join('').trim();
  return name === 'image' ? 'file' : name || 'file';
};

async function readAll(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
