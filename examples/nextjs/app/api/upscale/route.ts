import { Readable } from 'node:stream';
import { ApiError, JobFailedError, Uprez, UprezError, WaitTimeoutError } from '@uprez/sdk-node';

/** Seconds after which the host ends the request. */
export const maxDuration = 60;

/** Upscales the image in the field "image" of a form, and streams the result. Errors are JSON: `{ code, message }`. */
export async function POST(request: Request): Promise<Response> {
  const form = await request.formData().catch(() => undefined);
  const image = form?.get('image');
  if (!(image instanceof File) || image.size === 0) return fail(400, 'image_missing', 'Choose an image.');
  const { signal } = request;
  try {
    // Reads UPREZ_API_KEY and UPREZ_URL, which only the server knows.
    const uprez = new Uprez();
    const job = await uprez
      .process(image, { scale: 2 }, { waitSeconds: 25, signal })
      .waitFor({ timeoutMs: (maxDuration - 10) * 1_000, signal });
    const result = await uprez.jobs.download(job, { signal }).toStream();
    const headers = { 'Content-Type': `image/${job.format}`, 'Cache-Control': 'no-store', 'X-Job-Id': job.id };
    return new Response(Readable.toWeb(result) as ReadableStream<Uint8Array>, { headers });
  } catch (error) {
    return describe(error);
  }
}

/** Only errors of the image are for the visitor. An invalid API key, for example, is for the operator. */
function describe(error: unknown): Response {
  if (!(error instanceof UprezError)) throw error;
  const { code, message } = error;
  if (error instanceof JobFailedError) return fail(422, code, message);
  if (error instanceof ApiError && [413, 415, 422].includes(error.status)) return fail(error.status, code, message);
  if (error instanceof WaitTimeoutError) return fail(504, code, 'The image takes too long. Try a smaller one.');
  console.error(error);
  return fail(502, 'unavailable', "Images can't be upscaled right now. Try again later.");
}

const fail = (status: number, code: string, message: string) => Response.json({ code, message }, { status });
