import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CliError } from './cli-error.ts';
import type { Environment } from './config.ts';

export type Credentials = { apiKey: string; baseUrl: string };

/**
 * Finds the API key and the service URL in the environment or in the file written by `uprez login`. Throws CliError if
 * either is missing, if other users can read the file, or if the stored key is for another service.
 */
export async function findCredentials(env: Environment, url?: string): Promise<Credentials> {
  const stored = env.apiKey && (url ?? env.baseUrl) ? {} : await readStored(env.configFile);
  const apiKey = env.apiKey ?? stored.apiKey;
  const baseUrl = url ?? env.baseUrl ?? stored.baseUrl;
  // A stored key must never be sent to another service.
  if (!env.apiKey && stored.apiKey && baseUrl !== stored.baseUrl)
    throw new CliError(
      `The stored API key is for ${stored.baseUrl}, not ${baseUrl}. Set UPREZ_API_KEY, or run "uprez login --url ${baseUrl}".`,
    );
  if (!apiKey) throw new CliError('No API key found. Set UPREZ_API_KEY, or run "uprez login".');
  return { apiKey, baseUrl: requireUrl(baseUrl) };
}

export function requireUrl(url: string | undefined): string {
  if (!url || !URL.canParse(url))
    throw new CliError('The service URL is missing or invalid. Set UPREZ_URL, or add --url https://...');
  return url;
}

async function readStored(file: string): Promise<Partial<Credentials>> {
  const facts = await stat(file).catch(() => undefined);
  if (!facts) return {};
  if (process.platform !== 'win32' && (facts.mode & 0o077) !== 0)
    throw new CliError(`Other users can read the API key in "${file}". Run: chmod 600 "${file}"`);
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Partial<Credentials>;
  } catch {
    throw new CliError(`Couldn't read "${file}". Run "uprez login" again.`);
  }
}

/** Stores credentials in a file that only its owner can read. */
export async function storeCredentials(file: string, credentials: Credentials): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const part = `${file}.${randomUUID()}`;
  await writeFile(part, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  await rename(part, file);
}
