import fs from 'node:fs';
import { collectGarbage } from '@uprez/testing/products/collect-garbage';
import type { SpawnedService } from '@uprez/testing/products/spawn-service';

/** Open files of a service, its connections among them, and the resident memory of it and of all of its children, MB. */
export type Resources = { descriptors: number; connections: number; memoryMb: number; childrenMb: number };

const readLink = (file: string): string => {
  try {
    return fs.readlinkSync(file);
  } catch {
    return ''; // It was closed since the folder was read.
  }
};

const readText = (file: string): string => {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return ''; // The process has ended.
  }
};

const ownMb = (pid: number) => Number(/^VmRSS:\s+(\d+) kB$/m.exec(readText(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;

function childrenMb(pid: number): number {
  const children = readText(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
  return children.reduce((sum, child) => sum + ownMb(child) + childrenMb(child), 0);
}

function readOne(pid: number): Resources {
  const folder = `/proc/${pid}/fd`;
  const links = fs.readdirSync(folder).map((name) => readLink(`${folder}/${name}`));
  const connections = links.filter((link) => link.startsWith('socket:')).length;
  return { descriptors: links.length, connections, memoryMb: ownMb(pid), childrenMb: childrenMb(pid) };
}

const isRunning = ({ process }: SpawnedService) => process.exitCode === null && process.signalCode === null;

/** Returns the resources of the running services by name. Linux only. */
export const readResources = (services: readonly SpawnedService[]): Record<string, Resources> =>
  Object.fromEntries(services.filter(isRunning).map(({ name, pid }) => [name, readOne(pid)]));

/** The same without garbage, which a service keeps while memory is free. */
export async function readHeldResources(services: readonly SpawnedService[]): Promise<Record<string, Resources>> {
  await Promise.all(services.filter(isRunning).map(collectGarbage));
  return readResources(services);
}

const peakEveryMs = 100;

/** Records the highest values until `stop`, which returns them. */
export function watchPeak(services: readonly SpawnedService[]) {
  const peak = readResources(services);
  const timer = setInterval(() => {
    for (const [name, now] of Object.entries(readResources(services))) {
      const most = peak[name] ?? now;
      peak[name] = {
        descriptors: Math.max(most.descriptors, now.descriptors),
        connections: Math.max(most.connections, now.connections),
        memoryMb: Math.max(most.memoryMb, now.memoryMb),
        childrenMb: Math.max(most.childrenMb, now.childrenMb),
      };
    }
  }, peakEveryMs);
  return {
    stop: () => {
      clearInterval(timer);
      return peak;
    },
  };
}
