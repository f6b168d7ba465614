import type { FromChild, ToChild } from '@uprez/contracts/schemas/child-messages';
import { type ChildLife, type ChildName, startChild } from './start-child.ts';
import { watchMemory } from './watch-memory.ts';

type Ready = Extract<FromChild, { type: 'ready' }>;
export type Reply = Extract<FromChild, { type: 'inspected' | 'done' | 'failed' }>;
export type Question = {
  message: Extract<ToChild, { runId: string }>;
  /** The image that an inspection reads. */
  bytes?: Buffer;
  /** The child is killed when its reply takes longer. */
  limitMs: number;
};
/** `died`: why there is no reply. `log`: what the child wrote on stderr meanwhile. */
export type Answer = { ms: number; peakBytes: number; log: string } & ({ said: Reply } | { died: string });

export type CorpusChild = {
  ready: Ready;
  alive: () => boolean;
  /** Ask and wait for the reply or the child's end; it is killed past its limits of time and memory. */
  ask: (question: Question) => Promise<Answer>;
  close: () => Promise<void>;
};
export type ChildKind = { name: ChildName; options: object; memoryBytes: number };

const readyMs = 120_000;
const isReady = (message: FromChild): message is Ready => message.type === 'ready';
type Read = Extract<FromChild, { type: 'read' }>;
const isReplyTo =
  (runId: string) =>
  (message: FromChild): message is Reply | Read =>
    message.type !== 'ready' && message.type !== 'progress' && message.runId === runId;

/** Start a child and watch over it. Throws Error when it is not ready in time. */
export async function openCorpusChild({ name, options, memoryBytes }: ChildKind): Promise<CorpusChild> {
  const life = startChild(name, options);
  const { kill, exited } = life;
  const ready = await within(readyMs, life, life.hear(isReady));
  if (!ready) throw new Error(`The child ${name} ${life.death()}. ${life.takeLog()}`);
  const onExceeded = () => kill(`held more than ${Math.round(memoryBytes / 1_024 / 1_024)} MB`);
  const memory = watchMemory({ pid: life.pid, limitBytes: memoryBytes, onExceeded });
  void exited.then(memory.close);
  const converse = async (message: Question['message'], bytes?: Buffer): Promise<Reply | undefined> => {
    let next = life.hear(isReplyTo(message.runId));
    life.send(message);
    for (;;) {
      const said = await next;
      if (said?.type !== 'read') return said;
      next = life.hear(isReplyTo(message.runId));
      if (bytes) await life.feed(bytes.subarray(said.from, said.from + said.length));
    }
  };
  const ask = async ({ message, bytes, limitMs }: Question): Promise<Answer> => {
    life.takeLog();
    memory.reset();
    const begun = performance.now();
    const said = await within(limitMs, life, converse(message, bytes));
    const facts = { ms: performance.now() - begun, peakBytes: memory.peakBytes(), log: life.takeLog() };
    return said ? { ...facts, said } : { ...facts, died: life.death() };
  };
  const close = async () => {
    kill('was closed');
    await exited;
  };
  return { ready, ask, close, alive: life.alive };
}

/** Await what ends with the child at the latest; kill it when that takes too long. */
async function within<T>(limitMs: number, { kill }: ChildLife, work: Promise<T>): Promise<T> {
  const timer = setTimeout(() => kill(`took longer than ${limitMs / 1_000} s`), limitMs);
  return work.finally(() => clearTimeout(timer));
}
