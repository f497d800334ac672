import { readdirSync } from 'node:fs';
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

/** Lets other processes have the processors first; `priority` is one of `os.constants.priority`, or between them. */
export function lowerPriority(priority: number): void {
  for (const thread of threads()) {
    try {
      setPriority(thread, priority);
    } catch {
      // It has already ended, or the platform forbids it: then all stay equal.
    }
  }
}
