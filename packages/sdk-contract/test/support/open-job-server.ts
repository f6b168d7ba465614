import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

const size = { width: 6, height: 4, file_size: 70 };

/**
 * Opens a server that completes each job at once and returns the uploaded bytes as its result. The tests of the packages
 * use it, because they check what is installed, not how the service works.
 */
export async function openJobServer() {
  let uploaded = Buffer.alloc(0);
  const server = createServer(async (request, response) => {
    const { port } = server.address() as AddressInfo;
    if (request.method === 'POST') uploaded = await buffer(request);
    if (request.url?.startsWith('/file')) return void response.end(uploaded);
    const job = {
      ...{ id: 'j1', status: 'completed', success: true, progress: 100, filename: 'photo.png', scale_factor: 2 },
      ...{ format: 'png', quality: 85, engine: 'standard', original_size: size, processed_size: size, notes: [] },
      ...{ created_at: '2026-01-01T00:00:00.000Z', expires_at: null, sandbox: false, credits: 1, processing_time: 1 },
      download_url: `http://127.0.0.1:${port}/file?sig=1`,
    };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(job));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
