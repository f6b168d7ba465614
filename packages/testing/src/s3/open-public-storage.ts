import { openS3Storage } from '@uprez/storage/open-s3-storage';
import { startS3Server } from './s3-server.ts';

/** Opens a storage that can presign URLs, on its own S3 server. */
export async function openPublicStorage() {
  const server = await startS3Server();
  const { endpoint } = server;
  const storage = openS3Storage({
    ...{ endpoint, publicEndpoint: endpoint, region: 'us-east-1', bucket: 'files', forcePathStyle: true },
    ...{ accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
  });
  await storage.ensure();
  return {
    storage,
    close: async () => {
      await storage.close();
      await server.close();
    },
  };
}
