import type { WorkerScope } from './scope.ts';
import { startWorker } from './service-worker.ts';

startWorker(globalThis as unknown as WorkerScope);
