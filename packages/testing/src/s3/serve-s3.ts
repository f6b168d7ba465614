// Usage: node serve-s3.ts FOLDER ID SECRET. Runs s3rver on port 9000 for containers. Stores objects in FOLDER, and
// accepts only requests that are signed with the secret access key.
import { createServer } from 'node:http';
import { openS3rver } from './open-s3rver.ts';

const [directory = '/data', id = '', secret = ''] = process.argv.slice(2);
const { listener } = openS3rver({ directory, accounts: { [id]: secret } });
createServer(listener).listen(9000, '0.0.0.0');
process.on('SIGTERM', () => process.exit(0));
