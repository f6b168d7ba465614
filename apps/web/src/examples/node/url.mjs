import { writeFile } from 'node:fs/promises';

const headers = { Authorization: 'Bearer YOUR_API_KEY' };
const wish = {
  image_url: 'https://images.example/photo.jpg',
  width: 640,
  height: 480,
  fit: 'cover',
  format: 'webp',
};

let answer = await fetch('https://uprez.example/v1/process', {
  method: 'POST',
  headers: { ...headers, 'Content-Type': 'application/json' },
  body: JSON.stringify(wish),
});
let job = await answer.json();
while (job.status === 'queued' || job.status === 'processing') {
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  answer = await fetch(job.status_url, { headers });
  job = await answer.json();
}
if (!job.download_url) throw new Error(job.detail ?? job.error?.message);

const result = await fetch(job.download_url);
await writeFile('card.webp', Buffer.from(await result.arrayBuffer()));
