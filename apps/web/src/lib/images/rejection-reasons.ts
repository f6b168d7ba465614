import { unsupportedFormat } from '@uprez/contracts/policy/image-formats';
import { formatBytes } from '@uprez/contracts/texts/format';
import type { DropRejection } from './use-drop-area.ts';

/** Why a file isn't accepted, one message of the drop area per reason. */
export const rejectionReasons = ({ errors }: Pick<DropRejection, 'errors'>) => errors.map(({ message }) => message);

const sentencesFor = (maxBytes: number): Record<string, string> => ({
  'file-too-small': 'This file is empty (0 bytes). Choose another file.',
  'file-too-large': `This file is too large. Each image can be up to ${formatBytes(maxBytes)}.`,
  'file-invalid-type': unsupportedFormat,
});

/** The first reason in plain words, for a list of files. `maxBytes`: the limit of the plan. */
export function describeRejection({ errors }: Pick<DropRejection, 'errors'>, maxBytes: number): string {
  const sentences = sentencesFor(maxBytes);
  const code = Object.keys(sentences).find((known) => errors.some((error) => error.code === known));
  return (code && sentences[code]) || rejectionReasons({ errors }).join('. ');
}
