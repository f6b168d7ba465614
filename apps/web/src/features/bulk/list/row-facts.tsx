import { formatBytes } from '@uprez/contracts/texts/format';
import { outputSize } from '@uprez/imaging/plan/target-size';
import { formatSize } from '../../../lib/format/format.ts';
import { bulkMessages as text } from '../messages.ts';
import type { Row } from './row.ts';

/** Size of a row's image and of its result, as far as they are known. */
export function rowFacts({ size, imageSize, result, isInvalid, status }: Row, factor: number): string[] {
  if (!imageSize || status === 'rejected') return [formatBytes(size)];
  const before = `${formatBytes(size)} · ${formatSize(imageSize)}`;
  if (isInvalid) return [before];
  if (!result) return [before, text.target(formatSize(outputSize(imageSize, factor)))];
  return [before, text.target(`${formatSize(result)} · ${formatBytes(result.fileSize)}`)];
}

/** `1.2 MB · 1,024 x 768 -> 2,048 x 1,536`, with line breaks only between the parts. */
export function RowFacts({ row, factor }: { row: Row; factor: number }) {
  return rowFacts(row, factor)
    .flatMap((part) => part.split(/(?<=·) /))
    .map((part, index) => (
      <span key={index}>
        {index > 0 && ' '}
        <span className="whitespace-nowrap">{part}</span>
      </span>
    ));
}
