import { formatBytes } from '@uprez/contracts/texts/format';
import { Button } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { bulkMessages as text } from '../messages.ts';
import type { ExtraFile } from './add-to-list.ts';
import { addExtraFiles, clearList } from './change-list.ts';
import { maxStoredBytes } from './stored-files.ts';

type ExtraFilesNoticeProps = {
  extraFiles: readonly ExtraFile[];
  /** Number of images that can still be added. */
  room: number;
  /** All rows are finished. */
  over: boolean;
};

/** Lists the files beyond the maximum batch size. */
export function ExtraFilesNotice({ extraFiles, room, over }: ExtraFilesNoticeProps) {
  const here = extraFiles.some(({ file }) => file);
  return (
    <Notice kind="info">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <details>
          <summary className="cursor-pointer font-medium">{text.aside(extraFiles.length)}</summary>
          <ul className="mt-2 grid max-h-48 gap-1 overflow-y-auto text-muted text-xs">
            {extraFiles.map(({ relativePath, size }, index) => (
              <li key={index}>{`${relativePath} · ${formatBytes(size)}`}</li>
            ))}
          </ul>
        </details>
        {here && room > 0 && (
          <Button look="secondary" size="small" onClick={addExtraFiles}>
            {text.asideAdd}
          </Button>
        )}
        {here && room <= 0 && over && (
          <Button look="secondary" size="small" onClick={clearList}>
            {text.asideNext}
          </Button>
        )}
      </div>
      <p className="text-muted">{here ? text.asideText(extraFiles.length) : text.asideLost}</p>
    </Notice>
  );
}

/** Lists the number of files that could not be restored after a reload. */
export function LostFilesNotice({ lost }: { lost: number }) {
  return (
    <Notice kind="warning">
      <p className="font-medium">{text.lostTitle(lost)}</p>
      <p className="text-muted">{text.lostText(maxStoredBytes)}</p>
    </Notice>
  );
}
