import { type MediaType, mediaTypes, widthsOf } from '@uprez/contracts/policy/images/media';
import type { MediaFile } from '@uprez/contracts/schemas/content/media';
import { originalPath, variantPath } from '@uprez/contracts/texts/media';
import type { FoundMedia } from '@uprez/db/queries/media/list-media';

export const mediaKindOf = (type: MediaType) => mediaTypes[type].kind;

/** A file of the library as administrators see it. */
export function presentMedia(row: FoundMedia): MediaFile {
  const { id, version, type, width, height, alt, state, uses, uploadedBy } = row;
  const [smallest] = width === null ? [] : widthsOf(width);
  return {
    id,
    originalName: row.name,
    mimeType: type,
    kind: mediaKindOf(type),
    fileSize: row.size,
    ...{ width, height, alt, version, state, uses, uploadedBy },
    url: originalPath({ id, version, type }),
    thumbnailUrl: smallest === undefined ? null : variantPath({ id, version }, smallest),
    uploadedAt: row.createdAt.toISOString(),
    deletedAt: row.deletedAt?.toISOString() ?? null,
  };
}
