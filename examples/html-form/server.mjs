// Serves a plain HTML form: UPREZ_API_KEY=... UPREZ_URL=... node server.mjs
// The form posts the image to this server, because uploads need the API key. The page of the result then uses the
// pre-signed URL of the job, so the browser downloads from the service without a key and without this server.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { ApiError, Uprez } from '@uprez/sdk-node';
import { errorPage, jobPage } from './pages.mjs';

/** Limits the memory of an upload. */
const maxBytes = 20 * 1024 * 1024;
const uprez = new Uprez();
const form = await readFile(new URL('form.html', import.meta.url));

async function createJob(request, response) {
  // Also rejects uploads of unknown length.
  const isSmall = Number(request.headers['content-length']) <= maxBytes;
  if (!isSmall) return send(response, 413, errorPage('Choose an image of at most 20 MB.'));
  const headers = { 'Content-Type': request.headers['content-type'] ?? '' };
  const fields = await new Response(Readable.toWeb(request), { headers }).formData().catch(() => new FormData());
  const image = fields.get('image');
  if (!(image instanceof File) || image.size === 0) return send(response, 400, errorPage('Choose an image.'));
  const job = await uprez.process(image, { scale: Number(fields.get('scale') ?? 2) });
  response.writeHead(303, { Location: `/images/${job.id}` }).end();
}

async function route(request, response) {
  const { pathname } = new URL(request.url, 'http://localhost');
  if (request.method === 'POST' && pathname === '/images') return createJob(request, response);
  if (request.method !== 'GET') return send(response, 405, errorPage('Use the form.'));
  if (pathname === '/') return send(response, 200, form);
  const [, id] = /^\/images\/([\w-]+)$/.exec(pathname) ?? [];
  if (id === undefined) return send(response, 404, errorPage('Page not found.'));
  // Each request gets a new pre-signed URL, because they expire.
  send(response, 200, jobPage(await uprez.jobs.get(id)));
}

function send(response, status, html) {
  response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' }).end(html);
}

const server = createServer((request, response) => {
  route(request, response).catch((error) => {
    const isForVisitors = error instanceof ApiError && [404, 413, 415, 422].includes(error.status);
    if (isForVisitors) return send(response, error.status, errorPage(error.message));
    console.error(error);
    send(response, 502, errorPage("Images can't be upscaled right now. Try again later."));
  });
});
server.listen(Number(process.env.PORT ?? 8080), () => console.log(`http://localhost:${server.address().port}`));
