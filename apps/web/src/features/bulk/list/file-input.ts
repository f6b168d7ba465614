import type { DropRejection } from '../../../lib/images/drop-rejection.ts';
import { bulkMessages as text } from '../messages.ts';
import { dropLimits } from './accept.ts';
import { addFiles } from './change-list.ts';
import { asideOf } from './take-in.ts';

const isHeic = (name: string) => /\.hei[cf]$/i.test(name);

const refuse = ({ file, errors }: DropRejection) => ({
  ...asideOf(file),
  file: undefined,
  reason: isHeic(file.name) ? text.heic : errors.map(({ message }) => message).join('. '),
});

/** Options of all file inputs of the list. */
export const fileInput = {
  ...dropLimits,
  multiple: true,
  onDrop: (accepted: File[], rejections: DropRejection[]) => addFiles({ accepted, refused: rejections.map(refuse) }),
};
