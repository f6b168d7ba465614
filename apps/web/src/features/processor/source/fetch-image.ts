import { api } from '../../../lib/api/api.ts';

/** Fetches the image at a URL through the server, which reaches public servers only. Throws ApiError and TypeError. */
export async function fetchImage(imageUrl: string, signal: AbortSignal): Promise<File> {
  const { response, headers } = await api.fetchImage({ body: { imageUrl }, signal });
  const blob = await response.blob();
  return new File([blob], decodeURIComponent(headers.get('x-file-name') ?? ''), { type: blob.type });
}
