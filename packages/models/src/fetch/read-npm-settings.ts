import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import * as z from 'zod';
import { readNpmCredentials } from './read-npm-credentials.ts';

/** The part of npm's configuration that decides from where, and how, a tarball is fetched; in pacote's spelling. */
type NpmSettings = Record<string, unknown>;

// npm lists an unset value as null.
const text = z.string().min(1).optional().catch(undefined);
const configuration = z.object({
  registry: text,
  proxy: text,
  'https-proxy': text,
  noproxy: z.array(z.string()).optional().catch(undefined),
  'strict-ssl': z.boolean().optional(),
  ca: z.array(z.string()).optional().catch(undefined),
  cafile: text,
  'fetch-retries': z.number().optional(),
  'fetch-timeout': z.number().optional(),
  'replace-registry-host': text,
  userconfig: text,
  globalconfig: text,
});

/**
 * Asks npm itself, so that environment (`npm_config_registry`...), project, user and global `.npmrc` count exactly as
 * they do for `npm install`, however this process was started. Credentials, which npm keeps back from listings,
 * are read from the `.npmrc` files. Where there is no npm, everything stays at its default.
 */
export async function readNpmSettings(): Promise<NpmSettings> {
  const config = configuration.parse(JSON.parse(await listConfiguration()));
  const settings = {
    registry: config.registry,
    proxy: config.proxy,
    httpsProxy: config['https-proxy'],
    noProxy: config.noproxy?.filter(Boolean).join(',') || undefined,
    strictSSL: config['strict-ssl'],
    ca: config.cafile ? splitCertificates(await readFile(config.cafile, 'utf8')) : config.ca,
    fetchRetries: config['fetch-retries'],
    timeout: config['fetch-timeout'],
    replaceRegistryHost: config['replace-registry-host'],
    ...(await readNpmCredentials([config.globalconfig, config.userconfig, '.npmrc'])),
  };
  // pacote takes a present but undefined option for a value.
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

async function listConfiguration(): Promise<string> {
  try {
    // npm is a .cmd file on Windows, which only a shell can start.
    const shell = process.platform === 'win32';
    const { stdout } = await promisify(execFile)('npm', ['config', 'list', '--json'], { shell, timeout: 30_000 });
    return stdout;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '{}';
    throw new Error('npm could not say which registry to use (npm config list --json)', { cause: error });
  }
}

const splitCertificates = (pem: string): string[] => pem.match(/-----BEGIN [\s\S]*?-----END [^\n]*-----/g) ?? [];
