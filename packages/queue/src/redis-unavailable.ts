/** ioredis rejects with plain errors while it has no connection, and when a command times out. */
const connectionMessages: ReadonlySet<string> = new Set([
  "Stream isn't writeable and enableOfflineQueue options is false",
  'Connection is closed.',
  'Command aborted due to connection close',
  'Command timed out',
]);

/** Replies of a server that can't store or isn't ready. Before Redis 7, replies to scripts contain them after a dash. */
const unavailableReply =
  /(?:^|-)(?:BUSY|CLUSTERDOWN|LOADING|MASTERDOWN|MISCONF|NOAUTH|NOPERM|NOREPLICAS|OOM|READONLY|TRYAGAIN|WRONGPASS) /;

/** Whether a command failed because Redis can't be reached or can't serve it, and not because of the command itself. */
export function isRedisUnavailable(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  if (error.name === 'MaxRetriesPerRequestError' || connectionMessages.has(error.message)) return true;
  return error.name === 'ReplyError' && unavailableReply.test(error.message);
}
