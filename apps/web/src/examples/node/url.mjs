import { writeFile } from 'node:fs/promises';

const headers = { Authorization: 'Bearer YOUR_API_KEY' };
const options = {
  image_url: 'https://images.example/photo.jpg',
  width: 640,
  height: 480,
  fit: 'cover',
  format: 'webp',
};

let response = await fetch('https://uprez.example/v1/process', {
  method: 'POST',
  headers: { ...headers, 'Content-Type': 'application/json' },
  body: JSON.stringify(options),
});
let job = await response.json();
while (job.status === 'queued' || job.status === 'processing') {
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  response = await fetch(job.status_url, { headers });
  job = await response.json();
}
if (!job.download_url) throw new Error(job.detail ?? job.error?.message);

const result = await fetch(job.download_url);
await writeFile('card.webp', Buffer.from(await result.arrayBuffer()));
