import { Agent, buildConnector } from 'undici';

/** Where a connection really goes: by default to the address that was checked. Tests lead it to a server of their own. */
export type Dial = (checked: { address: string; port: number }) => { address: string; port: number };
export type Network = { dial?: Dial; ca?: string };
/** `connections`: so many at once. */
type PinnedOptions = Network & { connections?: number };

const connectMs = 5_000;
const headerBytes = 16 * 1024;

/** A dispatcher that connects only to these addresses, without a lookup or proxy. TLS checks the original name. */
export function openPinnedAgent(addresses: readonly string[], options: PinnedOptions): Agent {
  const { dial = (checked) => checked, ca, connections = 1 } = options;
  const connector = buildConnector({ timeout: connectMs, allowH2: false, ...(ca && { ca }) });
  const connect: buildConnector.connector = (options, callback) => {
    const tryNext = ([address = '', ...others]: readonly string[]) => {
      const { address: hostname, port } = dial({
        address,
        port: Number(options.port) || (options.protocol === 'http:' ? 80 : 443),
      });
      connector({ ...options, hostname, port: String(port) }, (...[error, socket]) => {
        if (error && others.length > 0) tryNext(others);
        else if (error) callback(error, null);
        else callback(null, socket);
      });
    };
    tryNext(addresses);
  };
  return new Agent({ connect, connections, pipelining: 1, maxHeaderSize: headerBytes });
}
