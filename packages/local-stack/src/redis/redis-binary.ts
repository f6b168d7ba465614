/** A server that can be started: command and the environment it needs. */
export interface RedisBinary {
  command: string;
  env: Record<string, string>;
}
