import { ApiError, accept, readResponse } from '@uprez/client/api-error';
import type { ComponentProps, MouseEvent } from 'react';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { adminMessages } from '../messages.ts';

/**
 * Throws the error of an export. Asks with HEAD, which the audit log doesn't count as an export: the browser reads the rows,
 * and writes them to the disk as they arrive.
 */
async function checkExport(url: string): Promise<void> {
  const { ok, status, statusText } = await fetch(url, { method: 'HEAD' });
  if (ok) return;
  // Responses to HEAD contain no error message.
  const response = await fetch(url, { headers: { accept } });
  if (!response.ok) return void (await readResponse(response));
  // The export is possible now, but all its rows would be read here.
  await response.body?.cancel();
  throw new ApiError({ status }, statusText);
}

function startDownload(url: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = '';
  link.click();
}

/** `url`: undefined while nothing can be exported. */
type DownloadLinkProps = Omit<ComponentProps<'a'>, 'href'> & { url: string | undefined };

/** Downloads an export, or shows the error of the API: browsers show no text of a failed download. */
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
