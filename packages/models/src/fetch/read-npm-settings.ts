import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import * as z from 'zod';
import { findVariable } from '../config.ts';

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

/** Read npm's configuration as for `npm install`, in pacote's names, with the credentials of the `.npmrc` files. */
export async function readNpmSettings(): Promise<Record<string, unknown>> {
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
    ...(await readCredentials([config.globalconfig, config.userconfig, '.npmrc'])),
  };
  // pacote does not treat an undefined option as missing.
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

/**
 * Read the `//host/path/:_authToken=...` lines of `.npmrc` files. Later files take precedence, and `${NAME}` is replaced by
 * the environment variable. npm's client sends each credential to its host only.
 */
async function readCredentials(files: (string | undefined)[]): Promise<Record<string, string>> {
  const texts = await Promise.all(files.map((file) => (file ? readFile(file, 'utf8').catch(() => '') : '')));
  const lines = texts.flatMap((text) => text.split(/\r?\n/));
  return Object.fromEntries(
    lines.flatMap((line) => {
      const [, key, value = ''] = /^\s*(\/\/[^=\s]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
      return key ? [[key, expandVariables(value.replace(/^(["'])(.*)\1$/, '$2'))]] : [];
    }),
  );
}

const expandVariables = (value: string): string =>
  value.replace(/\$\{(\w+)\}/g, (whole, name: string) => findVariable(name) ?? whole);
