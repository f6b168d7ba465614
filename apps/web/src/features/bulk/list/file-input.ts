import { type InputFormat, inputFormats, mimeTypes } from '@uprez/contracts/policy/image-formats';
import { limits } from '@uprez/contracts/policy/limits';
import type { DropRejection } from '../../../lib/images/drop-rejection.ts';
import { bulkMessages as text } from '../messages.ts';
import { addFiles } from '../run/change-list.ts';
import { toExtraFile } from '../state/add-to-list.ts';

/** Some systems only know a file's extension, not its media type. */
const extensions: Partial<Record<InputFormat, string[]>> = { jpeg: ['.jpeg', '.jpg'], tiff: ['.tiff', '.tif'] };

/** Accepted files. The server detects the actual format from the content. */
const dropLimits = {
  accept: Object.fromEntries(inputFormats.map((format) => [mimeTypes[format], extensions[format] ?? [`.${format}`]])),
  maxSize: limits.uploadBytes,
};

const isHeic = (name: string) => /\.hei[cf]$/i.test(name);

const refuse = ({ file, errors }: DropRejection) => ({
  ...toExtraFile(file),
  file: undefined,
  reason: isHeic(file.name) ? text.heic : errors.map(({ message }) => message).join('. '),
});

export const fileInput = {
  ...dropLimits,
  multiple: true,
  onDrop: (accepted: File[], rejections: DropRejection[]) => addFiles({ accepted, refused: rejections.map(refuse) }),
};
