import { messages } from '../../messages.ts';
import type { DropRejection } from './use-drop-area.ts';

/** Why a file isn't accepted, one sentence per reason. HEIC, the default of phones, gets instructions instead. */
export const rejectionReasons = ({ file, errors }: Pick<DropRejection, 'errors'> & { file: Pick<File, 'name'> }) =>
  /\.hei[cf]$/i.test(file.name) ? [messages.processor.heic] : errors.map(({ message }) => message);
