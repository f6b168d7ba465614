// node serve-s3.ts FOLDER ID SECRET: s3rver on port 9000 for containers. Stores objects in FOLDER, and accepts only requests
// that are signed with the secret access key.
import { createServer } from 'node:http';
import S3rver from 's3rver';
import { checkSignature } from './check-signature.ts';
import { answerMissingCall, keepFolders, waitForFlush } from './s3rver-repairs.ts';

const [directory = '/data', id = '', secret = ''] = process.argv.slice(2);
const s3rver = new S3rver({ directory, silent: true, vhostBuckets: false });
waitForFlush(s3rver, directory);
keepFolders(s3rver, directory);
const handle = s3rver.callback();

const server = createServer(async (request, response) => {
  const rejection = checkSignature(request, { [id]: secret });
  if (rejection) {
    response.writeHead(403, { 'content-type': 'application/xml' });
    return response.end(request.method === 'HEAD' ? '' : `<Error><Code>${rejection}</Code></Error>`);
  }
  // s3rver knows one account only.
  delete request.headers.authorization;
  if (!(await answerMissingCall({ s3rver, directory, request, response }))) handle(request, response);
});
server.listen(9000, '0.0.0.0');
process.on('SIGTERM', () => process.exit(0));
