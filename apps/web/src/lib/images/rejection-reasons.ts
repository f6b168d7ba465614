import {
  inputExtensions,
  inputFormats,
  mimeTypes,
  unsupportedFormatText,
} from '@uprez/contracts/policy/images/image-formats';
import { formatBytes } from '@uprez/contracts/texts/format';
import type { DropRejection } from './use-drop-area.ts';

/** Media types and extensions of accepted files, for `useDropArea`. The server detects the format from the content. */
export const acceptedFileTypes: Record<string, string[]> = Object.fromEntries(
  inputFormats.map((format) => [mimeTypes[format], [...inputExtensions[format]]]),
);

type AcceptanceRules = {
  maxBytes: number;
  unsupported?: string;
};

const makeRejectionTexts = ({
  maxBytes,
  unsupported = unsupportedFormatText,
}: AcceptanceRules): Record<string, string> => ({
  'file-too-small': 'This file is empty (0 bytes). Choose another file.',
  'file-too-large': `This file is too large. Each image can be up to ${formatBytes(maxBytes)}.`,
  'file-invalid-type': unsupported,
  'too-many-files': 'Choose one image at a time.',
});

/**
 * Returns the first reason why a file isn't accepted. Replaces the drop area's own messages, which list bytes and file
 * types.
 */
export function describeRejection({ errors }: Pick<DropRejection, 'errors'>, accepted: AcceptanceRules): string {
  const sentences = makeRejectionTexts(accepted);
  const code = Object.keys(sentences).find((known) => errors.some((error) => error.code === known));
  return (code && sentences[code]) || errors.map(({ message }) => message).join('. ');
}
