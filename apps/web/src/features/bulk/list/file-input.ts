import type { DropRejection } from '../../../lib/images/drop-rejection.ts';
import { bulkMessages as text } from '../messages.ts';
import { dropLimits } from './accept.ts';
import { toExtraFile } from './add-to-list.ts';
import { addFiles } from './change-list.ts';

const isHeic = (name: string) => /\.hei[cf]$/i.test(name);

const refuse = ({ file, errors }: DropRejection) => ({
  ...toExtraFile(file),
  file: undefined,
  reason: isHeic(file.name) ? text.heic : errors.map(({ message }) => message).join('. '),
});

/** Options of all file inputs of the list. */
export const fileInput = {
  ...dropLimits,
  multiple: true,
  onDrop: (accepted: File[], rejections: DropRejection[]) => addFiles({ accepted, refused: rejections.map(refuse) }),
};
