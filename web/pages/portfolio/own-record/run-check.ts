import type { OwnRecordResult, OwnRecordTask } from '#record/proof/own-record.ts';
import type { OwnProgress } from '#record/proof/own-votes.ts';
import { needed } from '../../../lib/chunks.ts';
import { type CheckFailure, failureOf, type WorkerMessage } from './worker-message.ts';

export class CheckError extends Error {
  override name = 'CheckError';
  readonly kind: CheckFailure['kind'];

  constructor({ kind, message }: CheckFailure) {
    super(message);
    this.kind = kind;
  }
}

class WorkerFailed extends Error {}

/** @throws WorkerFailed where the page may not start one */
function startWorker(): Worker {
  try {
    return new Worker(new URL('own-record.worker.ts', import.meta.url), { type: 'module' });
  } catch {
    throw new WorkerFailed();
  }
}

async function inWorker(task: OwnRecordTask, onProgress: (progress: OwnProgress) => void): Promise<OwnRecordResult> {
  const worker = startWorker();
  const result = new Promise<OwnRecordResult>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<WorkerMessage>) => {
      if ('progress' in data) onProgress(data.progress);
      else if ('result' in data) resolve(data.result);
      else reject(new CheckError(data.failure));
    });
    worker.addEventListener('error', () => reject(new WorkerFailed()));
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
  worker.postMessage(task);
  return result.finally(() => worker.terminate());
}

async function inPage(task: OwnRecordTask, onProgress: (progress: OwnProgress) => void): Promise<OwnRecordResult> {
  const { checkOwnRecord } = await needed(import('#record/proof/own-record.ts'));
  return checkOwnRecord(task, onProgress).catch((error: unknown) => {
    throw new CheckError(failureOf(error));
  });
}

export async function runCheck(
  task: OwnRecordTask,
  onProgress: (progress: OwnProgress) => void,
): Promise<OwnRecordResult> {
  if (typeof Worker === 'undefined') return inPage(task, onProgress);
  return inWorker(task, onProgress).catch((error: unknown) => {
    if (error instanceof WorkerFailed) return inPage(task, onProgress);
    throw error;
  });
}
