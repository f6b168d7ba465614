import { describe, expect, it } from 'vitest';
import type { Program } from '../../../../infra/local/containers/podman.ts';
import { waitForHealth } from '../../../../infra/local/containers/start-project.ts';

type State = { Status: string; ExitCode: number };

/** Answers as podman does for one container. `test`: the command of its health check, which exits with `checkCode`. */
function makePodman(State: State, { test, checkCode = 0 }: { test?: string[]; checkCode?: number } = {}): Program {
  const Config = test ? { Healthcheck: { Test: test } } : {};
  return async ([command]) => {
    if (command === 'inspect') return { code: 0, output: JSON.stringify([{ State, Config }]) };
    if (command === 'logs') return { code: 0, output: 'Invalid settings' };
    return { code: checkCode, output: '' };
  };
}

const running = { Status: 'running', ExitCode: 0 };
const check = ['CMD', 'redis-cli', 'ping'];

describe('waiting for the health of a container', () => {
  it.each([
    ['without a health check', makePodman(running)],
    ['with a disabled health check', makePodman(running, { test: ['NONE'], checkCode: 125 })],
    ['with a passing health check', makePodman(running, { test: check })],
  ])('ends for a running one %s', (_name, podman) => expect(waitForHealth(podman, 'id')).resolves.toBeUndefined());

  it.each([undefined, ['NONE'], check])('fails for an exited one with the check %j', async (test) => {
    const podman = makePodman({ Status: 'exited', ExitCode: 1 }, test && { test });
    await expect(waitForHealth(podman, 'id')).rejects.toThrow('a container ended with code 1:\nInvalid settings');
  });

  it('fails for a running one whose health check fails until the limit', async () => {
    const podman = makePodman(running, { test: check, checkCode: 1 });
    await expect(waitForHealth(podman, 'id', 1)).rejects.toThrow("a container isn't healthy");
  });
});
