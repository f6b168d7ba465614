import { ApiError, accept, readResponse } from '@uprez/client/api-error';
import type { ComponentProps, MouseEvent } from 'react';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { adminMessages } from '../messages.ts';

/**
 * Throws if an export would fail. Checks with a HEAD request, because the audit log doesn't record it as an export.
 * `startDownload` then leaves the download to the browser, which streams it to disk.
 */
async function checkExport(url: string): Promise<void> {
  const { ok, status, statusText } = await fetch(url, { method: 'HEAD' });
  if (ok) return;
  // Repeats the request with GET to read the error message, because HEAD responses have no body.
  const response = await fetch(url, { headers: { accept } });
  if (!response.ok) return void (await readResponse(response));
  // The export is possible now. Cancels the response, because reading it here would download all rows.
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

/** If the export would fail, shows the API's error, because browsers don't show the body of a failed download. */
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
