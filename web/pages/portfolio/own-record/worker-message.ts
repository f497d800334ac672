import type { OwnRecordResult } from '#record/proof/own-record.ts';
import type { OwnProgress } from '#record/proof/own-votes.ts';
import { RecordUnavailable } from '#record/proof/remote-files.ts';

export interface CheckFailure {
  kind: 'unavailable' | 'differs';
  message: string;
}

export type WorkerMessage = { progress: OwnProgress } | { result: OwnRecordResult } | { failure: CheckFailure };

/** Errors lose their class between threads. */
export function failureOf(error: unknown): CheckFailure {
  const message = error instanceof Error ? error.message : String(error);
  return { kind: error instanceof RecordUnavailable ? 'unavailable' : 'differs', message };
}
