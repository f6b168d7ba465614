import type { MediaFile } from '@uprez/contracts/schemas/content/media';
import type { ExportColumns } from '../admin/send-export.ts';

export const mediaColumns: ExportColumns<'media', MediaFile> = {
  file: { file: ({ id }) => id, name: ({ originalName }) => originalName, alt: ({ alt }) => alt },
  type: { type: ({ mimeType }) => mimeType, width: ({ width }) => width, height: ({ height }) => height },
  size: { size: ({ fileSize }) => fileSize, version: ({ version }) => version, state: ({ state }) => state },
  uses: { uses: ({ uses }) => uses },
  uploader: {
    uploader: ({ uploadedBy }) => uploadedBy?.firstName ?? null,
    uploader_email: ({ uploadedBy }) => uploadedBy?.email ?? null,
  },
  uploaded: { uploaded: ({ uploadedAt }) => uploadedAt, deleted: ({ deletedAt }) => deletedAt },
};
