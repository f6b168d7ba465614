/** What happened in one tab that the others of this browser have to know. */
export type TabNews = { kind: 'signed-out' } | { kind: 'signed-in'; userId: string } | { kind: 'forget' };

let channel: BroadcastChannel | undefined;

/** Tell the other tabs. */
export const tellTabs = (news: TabNews) => channel?.postMessage(news);

/** Hear what the other tabs tell. */
export function hearTabs(hear: (news: TabNews) => void): void {
  channel = new BroadcastChannel('uprez.session');
  channel.onmessage = ({ data }: MessageEvent<TabNews>) => hear(data);
}
