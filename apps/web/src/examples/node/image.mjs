import { readFile, writeFile } from 'node:fs/promises';

const response = await fetch('https://uprez.example/v1/process?scale=4', {
  method: 'POST',
  headers: { Authorization: 'Bearer YOUR_API_KEY', Accept: 'image/*', 'Content-Type': 'image/jpeg' },
  body: await readFile('photo.jpg'),
});
if (response.status === 202)
  throw new Error(`Not ready yet. Get it later from ${response.headers.get('location')}/result.`);
if (!response.ok) throw new Error(await response.text());
await writeFile('large.jpg', Buffer.from(await response.arrayBuffer()));
