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
import { bytes, defineAdminEndpoints, defineEndpoints, idParams, nothing } from '../endpoint.ts';

/** Why a file is refused. An upload answers with one of these only if it stores none of its files. */
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

/** The media library: images and documents for articles. Uploads are forms that are read as they arrive. */
export const mediaEndpoints = {
  ...defineEndpoints('none', {
    /** Redirects to the present version of a file. */
    getMedia: { params: idParams, answers: { 302: bytes }, errors: ['media_not_found'] },
    getMediaVersion: {
      params: mediaVersionParams,
      answers: { 200: bytes },
      errors: ['media_not_found', 'range_not_satisfiable'],
    },
  }),
  ...defineAdminEndpoints({
    adminListMedia: {
      permission: 'media.read',
      query: mediaQuerySchema,
      answers: { 200: z.array(mediaFileSchema) },
    },
    adminExportMedia: {
      permission: 'media.read',
      query: mediaExportSchema,
      answers: { 200: bytes },
      errors: ['export_too_large'],
    },
    /** A form with up to 20 `files`. */
    adminUploadMedia: { permission: 'media.manage', answers: { 201: mediaUploadSchema }, errors: fileErrors },
    adminGetMedia: {
      permission: 'media.read',
      params: idParams,
      answers: { 200: mediaFileSchema },
      errors: ['media_not_found'],
    },
    adminListMediaUses: {
      permission: 'media.read',
      params: idParams,
      answers: { 200: z.array(mediaUseSchema) },
      errors: ['media_not_found'],
    },
    adminUpdateMedia: {
      permission: 'media.manage',
      params: idParams,
      body: updateMediaBodySchema,
      answers: { 200: mediaFileSchema },
      errors: ['media_not_found'],
    },
    /** A form with one `file` of the same kind: an image for an image. */
    adminReplaceMedia: {
      permission: 'media.manage',
      params: idParams,
      answers: { 200: mediaFileSchema },
      errors: ['media_not_found', ...fileErrors],
    },
    /** Makes the smaller versions of an image again that couldn't be made. */
    adminRetryMedia: {
      permission: 'media.manage',
      params: idParams,
      answers: { 200: mediaFileSchema },
      errors: ['media_not_found'],
    },
    adminDeleteMedia: {
      permission: 'media.manage',
      params: idParams,
      answers: { 204: nothing },
      errors: ['media_not_found', 'media_in_use'],
    },
    adminRestoreMedia: {
      permission: 'media.manage',
      params: idParams,
      answers: { 200: mediaFileSchema },
      errors: ['media_not_found'],
    },
  }),
};
