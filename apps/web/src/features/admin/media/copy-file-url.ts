import { mediaPath } from '@uprez/contracts/policy/images/media';
import type { MediaFile } from '@uprez/contracts/schemas/content/media';
import { copyText } from '../../../lib/browser/clipboard.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { mediaMessages as text } from './messages.ts';

/** Returns the URL of the current version of a file. Replacing the file doesn't change the URL. */
export const fileUrl = ({ id }: Pick<MediaFile, 'id'>): string => window.location.origin + mediaPath(id);

export async function copyFileUrl(file: MediaFile): Promise<void> {
  const url = fileUrl(file);
  if (await copyText(url)) showToast({ title: text.copied, description: url });
  else showToast({ title: text.copyFailed, description: url, destructive: true });
}
