import * as z from 'zod';
import { articleKinds, articleStatuses } from '../../policy/articles.ts';
import { mediaFields, mediaKinds, mediaLimits, mediaStates, mediaTypeNames } from '../../policy/images/media.ts';
import { limits } from '../../policy/limits.ts';
import { makeExportFields, makeFilterFields, tablePageFields } from '../admin/table.ts';
import { lineSchema, toNameSchema } from '../user.ts';

const { nameLength, altLength } = mediaLimits;

/** URLs are root-relative. */
export const mediaFileSchema = z.object({
  id: z.uuid(),
  originalName: z.string(),
  mimeType: z.enum(mediaTypeNames),
  kind: z.enum(mediaKinds),
  /** Size of the original file, in bytes. */
  fileSize: z.int(),
  /** Width and height in pixels, after EXIF rotation. Null if the file isn't an image. */
  width: z.int().nullable(),
  height: z.int().nullable(),
  /** Default alternative text, which articles can override. */
  alt: z.string(),
  url: z.string(),
  /** URL of a small version of an image. Null for other files. */
  thumbnailUrl: z.string().nullable(),
  /** Incremented each time the file is replaced. */
  version: z.int(),
  state: z.enum(mediaStates),
  /** How many places use the file. */
  uses: z.int(),
  /** Null if the uploader's account was deleted. */
  uploadedBy: z.object({ id: z.uuid(), firstName: z.string().nullable(), email: z.string() }).nullable(),
  uploadedAt: z.iso.datetime(),
  deletedAt: z.iso.datetime().nullable(),
});
export type MediaFile = z.infer<typeof mediaFileSchema>;

export const mediaUseSchema = z.object({
  articleId: z.uuid(),
  kind: z.enum(articleKinds),
  title: z.string(),
  status: z.enum(articleStatuses),
  deleted: z.boolean(),
  fields: z.array(z.enum(mediaFields)),
});
export type MediaUse = z.infer<typeof mediaUseSchema>;
/** Data of a `media_in_use` error. */
export const mediaInUseSchema = z.object({ places: z.array(mediaUseSchema) });

const filter = {
  search: lineSchema.max(limits.searchLength).optional(),
  ...makeFilterFields('media'),
};
export const mediaQuerySchema = z.object({ ...filter, ...tablePageFields });
export const mediaExportSchema = z.object({ ...filter, ...makeExportFields('media') });

/** `message` is shown to users. */
const rejectedFileSchema = z.object({ name: z.string(), code: z.string(), message: z.string() });
/** Result of an upload. `files`: stored files in upload order. `refused`: rejected files. */
export const mediaUploadSchema = z.object({ files: z.array(mediaFileSchema), refused: z.array(rejectedFileSchema) });

export const mediaNameSchema = toNameSchema(lineSchema)
  .max(nameLength, `Name can't be longer than ${nameLength} characters.`)
  .min(1, 'Name is required');
export const updateMediaBodySchema = z.strictObject({
  originalName: mediaNameSchema.optional(),
  alt: lineSchema.max(altLength, `Alternative text can't be longer than ${altLength} characters.`).optional(),
});
export type MediaChanges = z.infer<typeof updateMediaBodySchema>;

export const mediaVersionParams = z.object({ id: z.string(), version: z.string(), name: z.string() });

/** URLs are root-relative. */
export const mediaImageSchema = z.object({
  src: z.string(),
  srcset: z.string(),
  width: z.int(),
  height: z.int(),
  alt: z.string(),
});
export type MediaImage = z.infer<typeof mediaImageSchema>;
