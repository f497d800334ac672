const AT_ONCE = 20;
const PERIOD_MS = 100;
const DELAY_MS = 250;
const MOST_WAITING = 1_000;

type RejectionPace = (send: () => void) => void;

/**
 * Slows down clients that ignore a limit. A rejection costs the server as much as a response from memory, and a client that
 * gets ten thousand of them in a second keeps a processor busy: on the connections that it has, it now gets four in a second on each.
 */
export function createRejectionPace(now: () => number = () => performance.now()): RejectionPace {
  let [period, sent, waiting] = [0, 0, 0];
  return (send) => {
    const current = Math.floor(now() / PERIOD_MS);
    if (current !== period) [period, sent] = [current, 0];
    sent += 1;
    if (sent <= AT_ONCE || waiting >= MOST_WAITING) return send();
    waiting += 1;
    setTimeout(() => {
      waiting -= 1;
      send();
    }, DELAY_MS);
  };
}
