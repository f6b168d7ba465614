import type { MediaFile } from '@uprez/contracts/schemas/content/media';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { mediaMessages as text } from './messages.ts';

/** The type of a file, and what is wrong with it. */
export const FileBadges = ({ file: { mimeType, state } }: { file: MediaFile }) => (
  <span className="flex flex-wrap gap-1">
    <Badge kind="neutral">{text.types[mimeType]}</Badge>
    {state === 'processing' && <Badge kind="info">{text.processing}</Badge>}
    {state === 'failed' && <Badge kind="danger">{text.failed}</Badge>}
  </span>
);
