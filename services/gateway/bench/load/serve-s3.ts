import { startS3Server } from '@uprez/testing/s3/s3-server';

/** An S3 server. Sends its endpoint to its parent, and runs until the parent exits. */
const server = await startS3Server();
const close = () => void server.close().then(() => process.exit());
process.once('SIGTERM', close).once('disconnect', close);
process.send?.(server.endpoint);
