import { errorCodes } from '@uprez/contracts/errors/error-codes';
import { limits } from '@uprez/contracts/policy/limits';
import { type ExportFormat, exportFormats } from '@uprez/contracts/policy/tables';
import { Download } from 'lucide-react';
import { type MouseEvent, useRef } from 'react';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { useShortcut } from '../../../lib/shortcuts/use-shortcut.ts';
import { buttonStyle } from '../../../ui/controls/button.tsx';
import { adminMessages } from '../messages.ts';

const text = adminMessages.table;

type ExportLinksProps = { url: (format: ExportFormat) => string; total: number };

/** Downloads the rows of the filter with the columns that are shown. `e` downloads the first format. */
export function ExportLinks({ url, total }: ExportLinksProps) {
  const first = useRef<HTMLAnchorElement>(null);
  useShortcut('tableExport', () => first.current?.click());
  const checkSize = (event: MouseEvent) => {
    if (total <= limits.exportRows) return;
    event.preventDefault();
    showToast({ title: text.exportFailed, description: errorCodes.export_too_large.title, destructive: true });
  };
  return (
    <span className="flex flex-wrap gap-2">
      {exportFormats.map((format, index) => (
        <a
          key={format}
          ref={index === 0 ? first : undefined}
          href={url(format)}
          download
          onClick={checkSize}
          className={buttonStyle({ look: 'secondary' })}
        >
          {index === 0 && <Download aria-hidden="true" strokeWidth={1.75} className="size-4" />}
          {text.exports[format]}
        </a>
      ))}
    </span>
  );
}
