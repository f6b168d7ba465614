import { hostEnv } from '../config.ts';

type Key = { accessKeyId: string; secretAccessKey: string };

/** Returns the S3 server that `npm run test:s3` provides, which checks signatures. Throws Error in other runs. */
export function externalS3(): { endpoint: string; owner: Key; stranger: Key } {
  return {
    endpoint: read('TEST_S3_ENDPOINT'),
    owner: readKey('TEST_S3'),
    /** A valid key without permissions. */
    stranger: readKey('TEST_S3_STRANGER'),
  };
}

const readKey = (prefix: string): Key => ({
  accessKeyId: read(`${prefix}_ACCESS_KEY_ID`),
  secretAccessKey: read(`${prefix}_SECRET_ACCESS_KEY`),
});

function read(name: string): string {
  const value = hostEnv[name];
  if (!value) throw new Error(`${name} is not set. Use npm run test:s3.`);
  return value;
}
