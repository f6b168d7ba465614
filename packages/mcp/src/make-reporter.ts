import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';

export type Reporting = Pick<
  RequestHandlerExtra<ServerRequest, ServerNotification>,
  'signal' | '_meta' | 'sendNotification'
>;

/** Makes a function that sends progress to the client if it asked for it. The protocol requires that progress increases. */
export function makeReporter({ _meta, sendNotification }: Reporting) {
  const progressToken = _meta?.progressToken;
  let last = -1;
  return (percent: number, message: string): void => {
    if (progressToken === undefined || percent <= last) return;
    last = percent;
    const params = { progressToken, progress: percent, total: 100, message };
    // The call goes on when its client is gone.
    sendNotification({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}
