/** The servers of OpenStack Swift that store data. A proxy is in front of them. */
export const storeNames = ['account', 'container', 'object'];

/** Makes `swift.conf`, which every server reads from its folder. */
export const makeSwiftConf = () => formatIni({ 'swift-hash': { swift_hash_path_suffix: 'uprez' } });

/**
 * Makes the configuration of the proxy, which speaks S3 and checks signatures.
 * @param {{ folder: string, port: number, cachePort: number, user: string, owner: Key, stranger: Key }} options
 * @typedef {{ id: string, secret: string }} Key `id`: `ACCOUNT:USER`
 */
export function makeProxyConf({ owner, stranger, cachePort, ...process }) {
  const filters = [
    'catch_errors',
    'gatekeeper',
    'cache',
    'listing_formats',
    's3api',
    'tempauth',
    'copy',
    'slo',
    'dlo',
    'versioned_writes',
  ];
  const sections = Object.fromEntries(filters.map((name) => [`filter:${name}`, { use: `egg:swift#${name}` }]));
  return formatIni({
    DEFAULT: processOptions(process),
    'pipeline:main': { pipeline: [...filters, 'proxy-server'].join(' ') },
    'app:proxy-server': { use: 'egg:swift#proxy', account_autocreate: true },
    ...sections,
    'filter:cache': { use: 'egg:swift#memcache', memcache_servers: `127.0.0.1:${cachePort}` },
    'filter:s3api': { use: 'egg:swift#s3api', location: 'us-east-1' },
    'filter:tempauth': {
      use: 'egg:swift#tempauth',
      [userOption(owner)]: `${owner.secret} .admin`,
      // Without a group, a user may sign in and may do nothing.
      [userOption(stranger)]: stranger.secret,
    },
  });
}

/** Makes the configuration of a server that stores accounts, containers, or objects in `folder/devices`. */
export function makeStoreConf(name, process) {
  return formatIni({
    DEFAULT: { ...processOptions(process), devices: `${process.folder}/devices`, mount_check: false },
    'pipeline:main': { pipeline: `${name}-server` },
    [`app:${name}-server`]: { use: `egg:swift#${name}` },
  });
}

/** A Python program that writes the ring of each server, which states where data is stored: one copy on one device. */
export const ringProgram = `
import sys
from swift.common.ring import RingBuilder
folder, *servers = sys.argv[1:]
for server in servers:
    name, port = server.split('=')
    builder = RingBuilder(4, 1, 0)
    builder.add_dev({'id': 0, 'region': 1, 'zone': 1, 'ip': '127.0.0.1', 'port': int(port), 'device': 'd1', 'weight': 1.0})
    builder.rebalance()
    builder.get_ring().save(f'{folder}/{name}.ring.gz')
`;

const userOption = ({ id }) => `user_${id.replace(':', '_')}`;

const processOptions = ({ folder, port, user }) => ({
  bind_ip: '127.0.0.1',
  bind_port: port,
  // One process each, which ends with its signal.
  workers: 0,
  user,
  swift_dir: folder,
});

const formatIni = (sections) =>
  Object.entries(sections)
    .map(([name, options]) => [`[${name}]`, ...Object.entries(options).map((option) => option.join(' = '))].join('\n'))
    .join('\n');
