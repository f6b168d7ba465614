import * as z from 'zod';
import {
  mediaExportSchema,
  mediaFileSchema,
  mediaQuerySchema,
  mediaUploadSchema,
  mediaUseSchema,
  mediaVersionParams,
  updateMediaBodySchema,
} from '../../schemas/content/media.ts';
import { bytesSchema, defineAdminEndpoints, defineEndpoints, emptySchema, exportOf } from '../endpoint.ts';

/** An upload of several files fails only if none of the files could be stored. */
const fileErrors = [
  'malformed_multipart',
  'no_file',
  'too_many_files',
  'file_too_large',
  'media_type_unsupported',
  'empty_file',
  'corrupt_image',
  'too_many_pixels',
  'side_too_long',
  'too_many_frames',
  'image_too_complex',
  'invalid_parameter',
  'unsupported_media_type',
] as const;

/** Uploaded forms are parsed while they are being received. */
export const mediaEndpoints = {
  ...defineEndpoints('none', {
    /** Redirects to the current version of a file. */
    getMedia: { route: 'GET /media/:id', answers: { 302: bytesSchema }, errors: ['media_not_found'] },
    getMediaVersion: {
      route: 'GET /media/:id/:version/:name',
      params: mediaVersionParams,
      answers: { 200: bytesSchema },
      errors: ['media_not_found', 'range_not_satisfiable'],
    },
  }),
  ...defineAdminEndpoints({
    adminListMedia: {
      route: 'GET /api/admin/media',
      permission: 'media.read',
      query: mediaQuerySchema,
      answers: { 200: z.array(mediaFileSchema) },
    },
    adminExportMedia: {
      route: 'GET /api/admin/media/export',
      permission: 'media.read',
      ...exportOf(mediaExportSchema),
    },
    /** Accepts a form with up to 20 `files`. */
    adminUploadMedia: {
      route: 'POST /api/admin/media/upload',
      permission: 'media.manage',
      answers: { 201: mediaUploadSchema },
      errors: fileErrors,
    },
    adminGetMedia: {
      route: 'GET /api/admin/media/:id',
      permission: 'media.read',
      answers: { 200: mediaFileSchema },
      errors: ['media_not_found'],
    },
    adminListMediaUses: {
      route: 'GET /api/admin/media/:id/uses',
      permission: 'media.read',
      answers: { 200: z.array(mediaUseSchema) },
      errors: ['media_not_found'],
    },
    adminUpdateMedia: {
      route: 'PATCH /api/admin/media/:id',
      permission: 'media.manage',
      body: updateMediaBodySchema,
      answers: { 200: mediaFileSchema },
      errors: ['media_not_found'],
    },
    /**
     * Accepts a form with one `file`. The new file must be of the same kind as the current one, such as an image for an
     * image.
     */
    adminReplaceMedia: {
      route: 'POST /api/admin/media/:id/replace',
      permission: 'media.manage',
      answers: { 200: mediaFileSchema },
      errors: ['media_not_found', ...fileErrors],
    },
    /** Tries again to create an image's smaller versions after some of them failed. */
    adminRetryMedia: {
      route: 'POST /api/admin/media/:id/retry',
      permission: 'media.manage',
      answers: { 200: mediaFileSchema },
      errors: ['media_not_found'],
    },
    adminDeleteMedia: {
      route: 'DELETE /api/admin/media/:id',
      permission: 'media.manage',
      answers: { 204: emptySchema },
      errors: ['media_not_found', 'media_in_use'],
    },
    adminRestoreMedia: {
      route: 'POST /api/admin/media/:id/restore',
      permission: 'media.manage',
      answers: { 200: mediaFileSchema },
      errors: ['media_not_found'],
    },
  }),
};
