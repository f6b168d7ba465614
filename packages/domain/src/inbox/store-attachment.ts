import { Readable } from 'node:stream';
import { AppError } from '@uprez/contracts/errors/app-error';
import { type AttachmentType, attachmentTypes } from '@uprez/contracts/policy/admin/tickets';
import { insertObjects, markObjectStored } from '@uprez/db/queries/jobs/objects';
import { sniffFormat } from '@uprez/imaging/sniff/sniff-format';
import { objectKeys } from '@uprez/storage/object-keys';
import { uuidv7 } from 'uuidv7';
import type { Needs } from '../context.ts';
import { cleanFilename } from '../intake/clean-filename.ts';
import { abandonUpload } from '../uploads/begin-upload.ts';

export type Attachment = { id: string; key: string; name: string; mimeType: string };
type AttachmentContext = Needs<'db' | 'storage' | 'log'>;

/**
 * Stores a file attached to a contact form submission. Throws `invalid_parameter` if the file is empty or its type
 * isn't allowed.
 */
export async function storeAttachment(
  ctx: AttachmentContext,
  { filename, bytes }: { filename: string | undefined; bytes: Buffer },
): Promise<Attachment> {
  const name = cleanFilename(filename);
  if (bytes.length === 0)
    throw new AppError('invalid_parameter', {
      param: 'attachments',
      detail: `"${name}" is empty. Attach another file.`,
    });
  const type = sniffAttachment(name, bytes);
  if (!type)
    throw new AppError('invalid_parameter', {
      param: 'attachments',
      detail: `"${name}" can't be attached. Attach PNG, JPEG, WebP, PDF, or TXT files.`,
      allowed: Object.keys(attachmentTypes),
    });
  const id = uuidv7();
  const key = objectKeys.ticket(id);
  // Stored without an account, because attachments don't count toward an account's storage.
  await insertObjects(ctx.db, [{ id, accountId: null, kind: 'ticket', key }]);
  try {
    const stored = await ctx.storage.put(key, Readable.from([bytes]));
    await markObjectStored(ctx.db, { id, ...stored });
  } catch (error) {
    await abandonUpload(ctx, { id, key });
    throw error;
  }
  return { id, key, name: ensureExtension(name, type), mimeType: attachmentTypes[type] };
}

/** Deletes files that didn't become part of a ticket. If this fails, a scheduled task deletes them later. */
export async function abandonAttachments(ctx: AttachmentContext, files: readonly Attachment[]): Promise<void> {
  for (const file of files) await abandonUpload(ctx, file);
}

const extensions: Record<AttachmentType, RegExp> = {
  png: /\.png$/i,
  jpg: /\.jpe?g$/i,
  webp: /\.webp$/i,
  pdf: /\.pdf$/i,
  txt: /\.txt$/i,
};

/**
 * Appends the extension for the content's type if the name doesn't have it, because programs open files by extension.
 */
const ensureExtension = (name: string, type: AttachmentType) =>
  extensions[type].test(name) ? name : `${name}.${type}`;

const images = { png: 'png', jpeg: 'jpg', webp: 'webp' } as const satisfies Record<string, AttachmentType>;

/** Matches control characters that text files don't contain. Tabs, line breaks, and form feeds are allowed. */
const binaryCharacterPattern = /[^\P{Cc}\t\n\f\r\u0085]/u;
const markupPattern = /^[\s\uFEFF]*<(?:[a-z!?/])/i;

/**
 * Returns a file's type, based on its content. Text files have no signature, so their names must end in `.txt`, and
 * their content must not be markup. Undefined for all other files.
 */
function sniffAttachment(name: string, bytes: Buffer): AttachmentType | undefined {
  const format = sniffFormat(bytes)?.readable;
  if (format) return format in images ? images[format as keyof typeof images] : undefined;
  if (bytes.subarray(0, 5).toString('latin1') === '%PDF-') return 'pdf';
  return /\.txt$/i.test(name) && isPlainText(bytes) ? 'txt' : undefined;
}

function isPlainText(bytes: Buffer): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return !binaryCharacterPattern.test(text) && !markupPattern.test(text);
  } catch {
    return false;
  }
}
