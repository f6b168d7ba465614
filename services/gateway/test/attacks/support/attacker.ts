import os from 'node:os';
import type { Attack, Target } from './attack.ts';
import type { FromAttacker } from './start-attacker.ts';

/**
 * The process of an attack. It has the lowest priority: an attacker has a processor of their own, and must not slow down
 * the services by taking theirs.
 */
const { name, target }: { name: string; target: Target } = JSON.parse(process.argv[2] ?? '');
const send = (message: FromAttacker) => process.send?.(message);
process.once('disconnect', () => process.exit());
// Resets of connections are what attackers expect.
process.on('uncaughtException', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') send({ error: String(error.stack) });
});

// Only the file of this attack is loaded, because others contain parts of the product. It has the name of the attack, up to
// the colon before its parameter.
const family: Record<string, Attack | readonly Attack[]> = await import(`../families/${name.split(':')[0]}.ts`);
const attack = Object.values(family)
  .flat()
  .find((one) => one.name === name);
if (!attack) throw new Error(`no attack is called ${name}`);
if (!attack.isServer) os.setPriority(os.constants.priority.PRIORITY_LOW);
send({ started: true });
await attack.run(target).then(
  (facts) => send({ facts }),
  (error: Error) => send({ error: String(error.stack) }),
);
