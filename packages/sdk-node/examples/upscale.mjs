import { Uprez } from '@uprez/sdk-node';

const uprez = new Uprez({ baseUrl: 'https://uprez.example', apiKey: 'YOUR_API_KEY' });

const job = await uprez.process('photo.jpg', { scale: 4 }).toFile('upscaled.jpg');

console.log(`${job.processed_size.width} x ${job.processed_size.height} pixels in upscaled.jpg`);
