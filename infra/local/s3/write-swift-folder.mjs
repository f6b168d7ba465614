import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeProxyConf, makeStoreConf, makeSwiftConf, ringProgram, storeNames } from './swift-config.mjs';

/** Writes what the servers read from `folder`. Throws Error if its file system lacks extended attributes. */
export function writeSwiftFolder({ folder, ports, user, owner, stranger }) {
  mkdirSync(join(folder, 'devices/d1'), { recursive: true });
  runPython(
    `${folder} has no extended attributes, in which Swift stores metadata. Set TMPDIR to a folder of another file system`,
    [attributeProgram, folder],
  );
  const write = (name, text) => writeFileSync(join(folder, name), `${text}\n`);
  write('swift.conf', makeSwiftConf());
  const cachePort = ports.cache;
  write('proxy.conf', makeProxyConf({ folder, port: ports.proxy, cachePort, user, owner, stranger }));
  for (const name of storeNames) write(`${name}.conf`, makeStoreConf(name, { folder, port: ports[name], user }));
  runPython('writing the rings failed', [ringProgram, folder, ...storeNames.map((name) => `${name}=${ports[name]}`)]);
}

const attributeProgram = `import os, sys; os.setxattr(sys.argv[1], 'user.uprez', b'1')`;

/** Runs a program with the Python of Debian, which has Swift's packages. Another one may be first in PATH. */
function runPython(failure, [program, ...args]) {
  const { status, stderr } = spawnSync('/usr/bin/python3', ['-c', program, ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${failure}:\n${stderr}`);
}
