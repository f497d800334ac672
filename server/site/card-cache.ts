import { busy } from '#server/kit/http/errors.ts';

export interface Card {
  /** Hash of the card's content; used as ETag. */
  version: string;
  bytes: Buffer;
}
interface Entry {
  card: Promise<Card>;
  drawnAtMs: number;
}

interface CardCacheOptions {
  freshMs?: number;
  maxCards?: number;
  maxWaiting?: number;
  now?: () => number;
}

/**
 * Keeps drawn cards and draws one at a time: each costs a quarter of a second of a processor, and every vote changes one.
 * However many ask, a card is drawn once a minute at most.
 */
export function createCardCache({
  freshMs = 60_000,
  maxCards = 300,
  maxWaiting = 30,
  now = () => performance.now(),
}: CardCacheOptions = {}) {
  const entries = new Map<string, Entry & { version: string }>();
  let waiting = 0;
  let turn: Promise<unknown> = Promise.resolve();

  function inTurn(draw: () => Promise<Buffer>): Promise<Buffer> {
    if (waiting >= maxWaiting) throw busy('busy', 'Too many pictures are being drawn. Please try again.', 10);
    waiting += 1;
    const drawn = turn.then(draw).finally(() => {
      waiting -= 1;
    });
    turn = drawn.catch(() => undefined);
    return drawn;
  }

  function find(key: string, version: string): (Entry & { version: string }) | undefined {
    const known = entries.get(key);
    return known && (known.version === version || now() - known.drawnAtMs < freshMs) ? known : undefined;
  }

  /** Rejects as `draw` does, and with 503 when busy. */
  async function cardOf(key: string, version: string, draw: () => Promise<Buffer>): Promise<Card> {
    const known = find(key, version);
    if (known) return known.card;
    const card = inTurn(draw).then((bytes) => ({ version, bytes }));
    entries.delete(key);
    entries.set(key, { card, version, drawnAtMs: now() });
    const [oldest] = entries.keys();
    if (entries.size > maxCards && oldest !== undefined) entries.delete(oldest);
    card.catch(() => {
      if (entries.get(key)?.card === card) entries.delete(key);
    });
    return card;
  }

  const isDrawn = (key: string, version: string): boolean => find(key, version) !== undefined;
  return { cardOf, isDrawn };
}
