import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Attack, Facts, Target } from './attack.ts';

/** `started`: the attack runs now. Otherwise its result. */
export type FromAttacker = { started: true } | { facts: Facts } | { error: string };

export type Attacker = Awaited<ReturnType<typeof startAttacker>>;

const longestMs = 150_000;
const main = fileURLToPath(new URL('attacker.ts', import.meta.url));

/** Waits for the next message. Rejects when the process ends without one, or takes too long. */
async function nextMessage(child: ChildProcess): Promise<FromAttacker> {
  const gone = new AbortController();
  child.once('exit', (code) => gone.abort(new Error(`the attacker ended with code ${code}`)));
  const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(longestMs)]);
  const [message] = await once(child, 'message', { signal });
  return message as FromAttacker;
}

/** Starts the process of an attack and waits until the attack runs. `end` closes all of its connections. */
export async function startAttacker({ name }: Pick<Attack, 'name'>, target: Target) {
  const execArgv = ['--conditions=@uprez/source'];
  const child = fork(main, [JSON.stringify({ name, target })], { execArgv });
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  try {
    await nextMessage(child);
  } catch (error) {
    await end();
    throw error;
  }
  const facts = nextMessage(child).then((message) => {
    if ('facts' in message) return message.facts;
    throw new Error('error' in message ? message.error : 'the attacker sent no result');
  });
  return { facts, end };
}
