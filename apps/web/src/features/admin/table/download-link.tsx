import { ApiError, accept, readResponse } from '@uprez/client/api-error';
import type { ComponentProps, MouseEvent } from 'react';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { adminMessages } from '../messages.ts';

/**
 * Throws if an export would fail. Checks with HEAD, which the audit log doesn't count as an export. The browser
 * downloads the export itself, and writes it to the disk as it arrives.
 */
async function checkExport(url: string): Promise<void> {
  const { ok, status, statusText } = await fetch(url, { method: 'HEAD' });
  if (ok) return;
  // HEAD responses have no body, and so no error message.
  const response = await fetch(url, { headers: { accept } });
  if (!response.ok) return void (await readResponse(response));
  // The export is possible now, but reading it here would download all rows.
  await response.body?.cancel();
  throw new ApiError({ status }, statusText);
}

function startDownload(url: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = '';
  link.click();
}

/** `url` is undefined while exporting isn't possible. */
type DownloadLinkProps = Omit<ComponentProps<'a'>, 'href'> & { url: string | undefined };

/** Downloads an export, or shows the API's error, because browsers don't show the body of a failed download. */
export function DownloadLink({ url, ...props }: DownloadLinkProps) {
  const download = useResourceMutation({
    call: checkExport,
    errorTitle: adminMessages.table.exportFailed,
    onSuccess: (_, checked) => startDownload(checked),
  });
  const start = (event: MouseEvent) => {
    event.preventDefault();
    if (url !== undefined && !download.isPending) download.mutate(url);
  };
  const disabled = url === undefined && ({ role: 'link', 'aria-disabled': true } as const);
  return <a href={url} onClick={start} {...disabled} {...props} />;
}
