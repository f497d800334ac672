import { ApiError } from '../../../lib/api-error.ts';

const LOOK_UPS = 15;
const LOOK_UP_MS = 1_000;

/** Repeats until the server has seen a transaction that a wallet sent. */
export async function whenSeen<T>(record: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await record();
    } catch (error) {
      const isEarly = error instanceof ApiError && error.code === 'not_found_yet';
      if (!isEarly || attempt === LOOK_UPS) throw error;
      await new Promise((resolve) => setTimeout(resolve, LOOK_UP_MS));
    }
  }
}
