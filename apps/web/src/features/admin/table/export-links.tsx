import { type ExportFormat, exportFormats } from '@uprez/contracts/policy/tables';
import { Download } from 'lucide-react';
import { useRef } from 'react';
import { useShortcut } from '../../../lib/shortcuts/use-shortcut.ts';
import { buttonStyle } from '../../../ui/controls/button.tsx';
import { adminMessages } from '../messages.ts';
import { DownloadLink } from './download-link.tsx';

type ExportLinksProps = { url: (format: ExportFormat) => string; isLoaded?: boolean };

/** Downloads the rows of the filter with the columns that are shown, once they are. `e` downloads the first format. */
export function ExportLinks({ url, isLoaded = true }: ExportLinksProps) {
  const first = useRef<HTMLAnchorElement>(null);
  useShortcut('tableExport', () => first.current?.click(), isLoaded);
  return (
    <span className="flex flex-wrap gap-2">
      {exportFormats.map((format, index) => (
        <DownloadLink
          key={format}
          ref={index === 0 ? first : undefined}
          url={isLoaded ? url(format) : undefined}
          className={buttonStyle({ look: 'secondary' })}
        >
          {index === 0 && <Download aria-hidden="true" strokeWidth={1.75} className="size-4" />}
          {adminMessages.table.exports[format]}
        </DownloadLink>
      ))}
    </span>
  );
}
