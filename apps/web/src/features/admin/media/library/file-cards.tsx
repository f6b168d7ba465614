import type { MediaFile } from '@uprez/contracts/schemas/content/media';
import { formatBytes } from '@uprez/contracts/texts/format';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { mediaFilePath } from '../../frame/media-path.ts';
import { FileBadges } from '../file-badges.tsx';
import { mediaMessages as text } from '../messages.ts';
import { Thumbnail } from '../thumbnail.tsx';

type FileCardsProps = { files: readonly MediaFile[]; actions: (file: MediaFile) => ReactNode };

/** Files as cards. A press on a card opens its file. */
export const FileCards = ({ files, actions }: FileCardsProps) => (
  <ul
    aria-label={text.caption}
    className="grid grid-cols-2 gap-3 sm:grid-cols-3 sm:gap-4 xl:grid-cols-4 2xl:grid-cols-5"
  >
    {files.map((file) => (
      <li
        key={file.id}
        className="relative grid min-w-0 content-start overflow-hidden rounded-card border border-line bg-surface hover:border-edge"
      >
        <Thumbnail file={file} className="aspect-4/3 border-line border-b" />
        <div className="grid gap-1 p-3">
          <Link
            to={mediaFilePath(file.id)}
            title={file.originalName}
            className="truncate font-medium text-sm after:absolute after:inset-0 after:rounded-card focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-focus focus-visible:after:-outline-offset-2"
          >
            {file.originalName}
          </Link>
          <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
            <span className="whitespace-nowrap text-muted text-xs tabular-nums">{formatBytes(file.fileSize)}</span>
            <FileBadges file={file} />
            <span className="relative z-1 -my-1 -mr-2 ml-auto">{actions(file)}</span>
          </div>
        </div>
      </li>
    ))}
  </ul>
);
