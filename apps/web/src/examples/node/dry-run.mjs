import { readFile } from 'node:fs/promises';

const response = await fetch('https://uprez.example/v1/process?dry_run=true&scale=8', {
  method: 'POST',
  headers: { Authorization: 'Bearer YOUR_API_KEY', 'Content-Type': 'image/jpeg' },
  body: await readFile('photo.jpg'),
});
const plan = await response.json();
if (!response.ok) throw new Error(plan.detail);
console.log(`${plan.width} x ${plan.height}, ${plan.units} credit, about ${plan.seconds.toFixed(1)} s`);
