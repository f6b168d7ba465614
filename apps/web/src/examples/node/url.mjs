import { writeFile } from 'node:fs/promises';

const answer = await fetch('https://uprez.example/v1/process', {
  method: 'POST',
  headers: { Authorization: 'Bearer YOUR_API_KEY', 'Content-Type': 'application/json' },
  body: JSON.stringify({
    image_url: 'https://pictures.example/photo.jpg',
    width: 640,
    height: 480,
    fit: 'cover',
    format: 'webp',
  }),
});
const job = await answer.json();
if (!job.download_url) throw new Error(job.detail ?? job.status);

const result = await fetch(job.download_url);
await writeFile('card.webp', Buffer.from(await result.arrayBuffer()));
