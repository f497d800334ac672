import type { Config } from '#server/kit/config.ts';
import type { Delivery } from './deliver.ts';
import { pushServiceOf } from './endpoint.ts';

const FAILURES_TO_PAUSE = 5;
const PAUSE_S = 60;
const MOST_REACHED = 1_000;

/** Hosts that have taken a message from this process. Failures of others say nothing about them: names under a wildcard can be made up. */
const reached = new Set<string>();

/** Pauses of push services during one run. Hosts of a wildcard share one, until they have taken a message. */
export class Pauses {
  readonly #config: Pick<Config, 'pushHosts'>;
  readonly #failures = new Map<string, number>();
  readonly #pauses = new Map<string, number>();

  constructor(config: Pick<Config, 'pushHosts'>) {
    this.#config = config;
  }

  #keyOf(endpoint: string): string {
    const { host } = new URL(endpoint);
    return reached.has(host) ? host : (pushServiceOf(this.#config, endpoint) ?? host);
  }

  pauseOf = (endpoint: string): number | undefined => this.#pauses.get(this.#keyOf(endpoint));

  note(endpoint: string, delivery: Delivery): void {
    if (delivery.result === 'sent' && reached.size < MOST_REACHED) reached.add(new URL(endpoint).host);
    if (delivery.result !== 'failed') return;
    const key = this.#keyOf(endpoint);
    const failures = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, failures);
    if (delivery.retryAfterS !== null) this.#pauses.set(key, delivery.retryAfterS);
    else if (failures >= FAILURES_TO_PAUSE) this.#pauses.set(key, PAUSE_S);
  }
}
