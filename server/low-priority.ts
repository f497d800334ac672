import { readdirSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** Threads of this process. On Linux each has a priority of its own, and new ones begin with that of the thread that makes them. */
function threads(): number[] {
  try {
    return readdirSync('/proc/self/task').map(Number);
  } catch {
    // Not Linux: the priority is that of the whole process.
    return [0];
  }
}

/**
 * Lets other processes have the processors first; `priority` is one of `os.constants.priority`. Linux may weigh sessions before it weighs
 * the processes in them, so the caller is to be the only process of its session (`detached`).
 */
export function lowerPriority(priority: number): void {
  try {
    writeFileSync('/proc/self/autogroup', String(priority));
  } catch {
    // Sessions are not weighed here.
  }
  for (const thread of threads()) {
    try {
      setPriority(thread, priority);
    } catch {
      // It has ended meanwhile, or the platform does not let us: then all stay equal.
    }
  }
}
