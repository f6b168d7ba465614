import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { create } from 'tar';
import type { TarballSource } from '../src/manifest.ts';

/** The name of a package and its files by path below `package/`. */
export type LocalPackage = { name: string; files: Record<string, string | Uint8Array> };

/** Packs `files` as npm does, into `folder`. Version 1.0.0. */
export async function pack(folder: string, { name, files }: LocalPackage): Promise<TarballSource & { bytes: Buffer }> {
  const all = { 'package.json': JSON.stringify({ name, version: '1.0.0' }), ...files };
  for (const [path, content] of Object.entries(all)) {
    const target = join(folder, 'package', path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content);
  }
  const file = join(folder, `${name}.tgz`);
  await create({ cwd: folder, file, gzip: true }, ['package']);
  const bytes = await readFile(file);
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  return { name, version: '1.0.0', integrity, sizeBytes: bytes.length, bytes };
}

export type RegistryOptions = {
  /** Bearer token that every request must carry. */
  token?: string;
  /** Writes the tarball itself (to hold it back, or to send other bytes). */
  sendTarball?: (response: ServerResponse, bytes: Buffer) => void;
};

/** Opens an npm registry with one package on a free loopback port. Counts requests for its tarball. */
export async function openRegistry(packed: TarballSource & { bytes: Buffer }, options: RegistryOptions = {}) {
  const { name, version, integrity, bytes } = packed;
  const asked = { tarballs: 0 };
  const server = createServer((request, response) => {
    if (options.token && request.headers.authorization !== `Bearer ${options.token}`) {
      response.writeHead(401).end('{}');
    } else if (request.url === `/${name}`) {
      const dist = { tarball: `${url}/${name}/-/${name}.tgz`, integrity };
      const versions = { [version]: { name, version, dist } };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }));
    } else if (request.url === `/${name}/-/${name}.tgz`) {
      asked.tarballs++;
      response.writeHead(200, { 'content-type': 'application/octet-stream' });
      if (options.sendTarball) options.sendTarball(response, bytes);
      else response.end(bytes);
    } else {
      response.writeHead(404).end('{}');
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { url, asked, close };
}
