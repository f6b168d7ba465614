import type { MediaFile } from '@uprez/contracts/schemas/content/media';
import { Link } from 'react-router';
import { formatTime } from '../../../../lib/format/format.ts';
import { mediaFilePath } from '../../frame/media-path.ts';
import { mediaMessages as text } from '../messages.ts';
import { Thumbnail } from '../thumbnail.tsx';

/** A small version of the file and its name, which opens it. */
export const NameCell = (file: MediaFile) => (
  <span className="flex min-w-0 items-center gap-3">
    <Thumbnail file={file} className="size-10 shrink-0" />
    <span className="grid min-w-0">
      <Link to={mediaFilePath(file.id)} className="font-medium hover:underline">
        {file.originalName}
      </Link>
      {file.deletedAt && <span className="text-muted text-xs">{text.deletedOn(formatTime(file.deletedAt))}</span>}
    </span>
  </span>
);
