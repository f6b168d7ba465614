import { readFile, writeFile } from 'node:fs/promises';

const headers = { Authorization: 'Bearer YOUR_API_KEY' };
const body = new FormData();
body.set('image', new Blob([await readFile('photo.jpg')]), 'photo.jpg');
body.set('scale', '4');

let response = await fetch('https://uprez.example/v1/process', { method: 'POST', headers, body });
let job = await response.json();

// Small images are ready immediately. Poll until larger ones are done.
while (job.status === 'queued' || job.status === 'processing') {
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  response = await fetch(job.status_url, { headers });
  job = await response.json();
}
if (!job.download_url) throw new Error(job.detail ?? job.error?.message);

const result = await fetch(job.download_url);
await writeFile('upscaled.jpg', Buffer.from(await result.arrayBuffer()));
console.log(job.processed_size);
