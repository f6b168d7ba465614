import { startS3Server } from '@uprez/testing/s3/s3-server';

/** An S3 server; answers its endpoint and serves until it is ended or its parent is gone. */
const server = await startS3Server();
const close = () => void server.close().then(() => process.exit());
process.once('SIGTERM', close).once('disconnect', close);
process.send?.(server.endpoint);
