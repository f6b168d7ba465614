import { readFile, writeFile } from 'node:fs/promises';

const headers = { Authorization: 'Bearer YOUR_API_KEY' };
const body = new FormData();
for (const name of ['photo.jpg', 'second.jpg']) body.append('images', new Blob([await readFile(name)]), name);
body.set('scale', '2');

let response = await fetch('https://uprez.example/v1/batches', { method: 'POST', headers, body });
let batch = await response.json();
while (batch.status === 'active') {
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  response = await fetch(batch.status_url, { headers });
  batch = await response.json();
}
if (!response.ok) throw new Error(batch.detail);

for (const { name, status, error } of batch.items) console.log(name, status, error?.message ?? '');
const zip = await fetch(batch.zip_url, { headers });
if (!zip.ok) throw new Error((await zip.json()).detail);
await writeFile('images.zip', Buffer.from(await zip.arrayBuffer()));
