import { ApiError } from '@uprez/client/api-error';
import { accept } from '@uprez/client/read-answer';
import { readFailure } from '@uprez/client/read-failure';
import type { RequestedEngine } from '@uprez/contracts/engines';
import type { Job } from '@uprez/contracts/job';
import { qualityRange } from '@uprez/contracts/picture-formats';
import { routes } from '@uprez/contracts/routes';
import { randomId } from '../../lib/random-id.ts';
import type { Settings } from './settings-store.ts';

/** What the form asks for. */
export type AskedFor = Settings & { engine: RequestedEngine };

type Upload = { file: File; settings: AskedFor; signal: AbortSignal; onPercent: (percent: number) => void };

function makeForm(file: File, { scaleFactor, format, engine }: AskedFor): FormData {
  const form = new FormData();
  form.set('image', file);
  form.set('scaleFactor', String(scaleFactor));
  form.set('format', format);
  form.set('quality', String(qualityRange.default));
  form.set('engine', engine);
  return form;
}

function readJob(request: XMLHttpRequest): Job {
  if (request.status < 400) return JSON.parse(request.responseText);
  throw readFailure({
    status: request.status,
    statusText: request.statusText,
    body: request.responseText,
    header: (name) => request.getResponseHeader(name) ?? undefined,
  });
}

/**
 * Send a picture and answer its job without waiting for the result. XMLHttpRequest, because `fetch` does not tell how
 * much has been sent. Throws ApiError for an answer, another Error when there was none or `signal` was aborted.
 */
export function uploadPicture({ file, settings, signal, onPercent }: Upload): Promise<Job> {
  const request = new XMLHttpRequest();
  request.open(routes.processImage.method, routes.processImage.path);
  request.withCredentials = true;
  request.setRequestHeader('accept', accept);
  request.setRequestHeader('prefer', 'respond-async');
  request.setRequestHeader('idempotency-key', randomId());
  return new Promise((resolve, reject) => {
    request.upload.onprogress = ({ loaded, total }) => onPercent(Math.floor((loaded / total) * 100));
    request.onload = () => {
      try {
        resolve(readJob(request));
      } catch (error) {
        reject(error instanceof ApiError ? error : new Error('The answer is no job', { cause: error }));
      }
    };
    request.onerror = () => reject(new Error('No answer'));
    request.onabort = () => reject(signal.reason);
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(makeForm(file, settings));
  });
}
