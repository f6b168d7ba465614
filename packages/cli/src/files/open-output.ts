import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isS3Url } from '../buckets/s3-url.ts';
import { journalPathOf, openJournal, openOutputFolder, openWorkFolder } from './open-output-folder.ts';
import { type Output, placeResult, type Results } from './place-result.ts';

/** Opens the results of earlier runs for reading. `stateDir` is the folder for the journals of bucket outputs. */
export async function openResults(out: string, stateDir: string): Promise<Results> {
  if (!isS3Url(out))
    return { journal: await openJournal(journalPathOf(join(out, '.uprez'))), find: makeFindResult(out) };
  const { find, folder } = await openBucket(out, stateDir);
  return { journal: await openJournal(journalPathOf(folder)), find };
}

/** Opens an output for writing. Throws CliError if another process is using it, or if the bucket can't be used. */
export async function openOutput(out: string, stateDir: string): Promise<Output> {
  if (isS3Url(out)) {
    const { folder, find, place, checkWritable } = await openBucket(out, stateDir);
    await checkWritable();
    return { ...(await openWorkFolder(folder)), find, place };
  }
  const folder = await openOutputFolder(out);
  return { ...folder, find: makeFindResult(out), place: (part, placement) => placeResult(folder, part, placement) };
}

const makeFindResult = (folder: string) => async (output: string) => {
  const facts = await stat(join(folder, output)).catch(() => undefined);
  return facts && { bytes: facts.size };
};

/** Imports the S3 client here, because most runs don't need it. */
async function openBucket(url: string, stateDir: string) {
  const { openBucketResults } = await import('../buckets/open-bucket-results.ts');
  return openBucketResults(url, stateDir);
}
