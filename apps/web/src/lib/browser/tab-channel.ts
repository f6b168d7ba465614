/** A message to the other tabs of this browser. */
export type TabMessage =
  | { kind: 'signed-out' }
  | { kind: 'signed-in'; userId: string }
  | { kind: 'user-changed' }
  | { kind: 'data-cleared' };

let channel: BroadcastChannel | undefined;

export const postToTabs = (message: TabMessage) => channel?.postMessage(message);

/** Opens the channel. `listener` receives the messages of the other tabs. */
export function openTabChannel(listener: (message: TabMessage) => void): void {
  channel = new BroadcastChannel('uprez.session');
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => listener(data);
}
