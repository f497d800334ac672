import { HASH_BYTES, type Hash, hashAbove, hashNode } from './hashes.ts';
import { consistencyRanges, inclusionRanges, type Node, nodesUnder, type Range } from './tree.ts';

/**
 * The files of a tiled log (C2SP tlog-tiles): hashes of one level in rows of 256, and the entries themselves in bundles of 256. A full
 * file never changes; the last of each level is partial until the log has grown past it.
 */

export const TILE_WIDTH = 256;
const TILE_HEIGHT = 8;

export interface Tile {
  /** 0: the hashes are leaves; each level above is 8 levels of the tree higher. */
  level: number;
  index: number;
  width: number;
}

/** `x001/x234/067` for 1234067, with `.p/8` appended for a partial tile of 8 hashes. */
function pathOf(index: number, width: number): string {
  const digits = String(index);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/g) ?? [];
  const path = groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group)).join('/');
  return width === TILE_WIDTH ? path : `${path}.p/${width}`;
}

export const tilePath = ({ level, index, width }: Tile): string => `tile/${level}/${pathOf(index, width)}`;
export const bundlePath = ({ index, width }: Omit<Tile, 'level'>): string => `tile/entries/${pathOf(index, width)}`;

const INDEX_PATH = /^(?:x(\d{3})\/)?(?:x(\d{3})\/)?(?:x(\d{3})\/)?(?:x(\d{3})\/)?(\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;

/** The inverse of the paths above; null for any text that is not such a path, other spellings of one included. */
export function parsePath(path: string): (Omit<Tile, 'level'> & { level: number | 'entries' }) | null {
  const [, levelText = '', rest = ''] = /^tile\/(entries|\d{1,2})\/(.+)$/.exec(path) ?? [];
  const parts = INDEX_PATH.exec(rest);
  if (!parts) return null;
  const index = Number(parts.slice(1, 6).join(''));
  const width = parts[6] === undefined ? TILE_WIDTH : Number(parts[6]);
  if (levelText === 'entries') return bundlePath({ index, width }) === path ? { level: 'entries', index, width } : null;
  const level = Number(levelText);
  return level < 64 && width <= TILE_WIDTH && tilePath({ level, index, width }) === path
    ? { level, index, width }
    : null;
}

function hashesAt(level: number, size: number): number {
  return Math.floor(size / TILE_WIDTH ** level);
}

/** The tile of a tree of that size; null when it would be empty. */
export function tileAt(level: number, index: number, size: number): Tile | null {
  const width = Math.min(TILE_WIDTH, hashesAt(level, size) - index * TILE_WIDTH);
  return width > 0 ? { level, index, width } : null;
}

export function lastTiles(size: number): Tile[] {
  const tiles: Tile[] = [];
  for (let level = 0; hashesAt(level, size) > 0; level += 1) {
    const last = tileAt(level, Math.floor((hashesAt(level, size) - 1) / TILE_WIDTH), size);
    if (last) tiles.push(last);
  }
  return tiles;
}

/** The hashes of a tile one by one. @throws RangeError when the bytes are not that many hashes. */
export function hashesOf(bytes: Uint8Array, width: number): Hash[] {
  if (bytes.length !== width * HASH_BYTES) {
    throw new RangeError(`a tile of ${width} hashes has ${width * HASH_BYTES} bytes, not ${bytes.length}`);
  }
  return Array.from({ length: width }, (_, at) => bytes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES));
}

function rootOf(row: readonly Hash[]): Hash {
  let hashes = row;
  while (hashes.length > 1) {
    hashes = Array.from({ length: hashes.length / 2 }, (_, at) =>
      hashNode(hashes[at * 2] as Hash, hashes[at * 2 + 1] as Hash),
    );
  }
  return hashes[0] as Hash;
}

export type TileReader = (tile: Tile) => Promise<Uint8Array>;

/** Hashes of a tree of that size, from its tiles; each tile is read once. */
export function treeOf(size: number, read: TileReader) {
  const tiles = new Map<string, Promise<Hash[]>>();

  function tile(level: number, index: number): Promise<Hash[]> {
    const wanted = tileAt(level, index, size);
    if (!wanted) throw new RangeError(`a tree of ${size} entries has no tile ${level}/${index}`);
    const path = tilePath(wanted);
    const known = tiles.get(path) ?? read(wanted).then((bytes) => hashesOf(bytes, wanted.width));
    tiles.set(path, known);
    return known;
  }

  async function node({ level, index }: Node): Promise<Hash> {
    const tileLevel = Math.floor(level / TILE_HEIGHT);
    const width = 2 ** (level % TILE_HEIGHT);
    const first = index * width;
    const hashes = await tile(tileLevel, Math.floor(first / TILE_WIDTH));
    const at = first % TILE_WIDTH;
    return rootOf(hashes.slice(at, at + width));
  }

  async function range(wanted: Range): Promise<Hash> {
    return hashAbove(await Promise.all(nodesUnder(wanted).map(node))) as Hash;
  }

  return {
    leaf: (index: number): Promise<Hash> => node({ level: 0, index }),
    root: (): Promise<Hash> => range({ start: 0, end: size }),
    rootAt: (oldSize: number): Promise<Hash> => range({ start: 0, end: oldSize }),
    inclusionProof: (index: number): Promise<Hash[]> => Promise.all(inclusionRanges(index, size).map(range)),
    consistencyProof: (oldSize: number): Promise<Hash[]> => Promise.all(consistencyRanges(oldSize, size).map(range)),
  };
}

/** Appends leaves to a tree with one row per level in memory, and returns each tile that is full. */
export class TreeBuilder {
  private readonly rows: Hash[][] = [];
  private count: number;
  private readonly onFull: (tile: Tile, bytes: Uint8Array) => void;

  /** `rows`: the hashes of the partial tiles of the tree so far, level by level, empty if the last tile is full. */
  constructor(size: number, rows: Hash[][], onFull: (tile: Tile, bytes: Uint8Array) => void) {
    this.count = size;
    this.rows = rows;
    this.onFull = onFull;
  }

  get size(): number {
    return this.count;
  }

  append(leaf: Hash): void {
    this.count += 1;
    let hash = leaf;
    for (let level = 0; ; level += 1) {
      const row = (this.rows[level] ??= []);
      row.push(hash);
      if (row.length < TILE_WIDTH) return;
      const index = hashesAt(level, this.count) / TILE_WIDTH - 1;
      this.onFull({ level, index, width: TILE_WIDTH }, joinHashes(row));
      hash = rootOf(row);
      this.rows[level] = [];
    }
  }

  partialTiles(): Array<{ tile: Tile; bytes: Uint8Array }> {
    return this.rows.flatMap((row, level) => {
      const index = Math.floor(hashesAt(level, this.count) / TILE_WIDTH);
      return row.length > 0 ? [{ tile: { level, index, width: row.length }, bytes: joinHashes(row) }] : [];
    });
  }

  /** Null for a tree without entries, whose root is `emptyRoot`. */
  root(): Hash | null {
    const subtrees = this.rows.toReversed().flatMap((row) => {
      const nodes = nodesUnder({ start: 0, end: row.length });
      return nodes.map(({ level, index }) => rootOf(row.slice(index * 2 ** level, (index + 1) * 2 ** level)));
    });
    return hashAbove(subtrees);
  }
}

function joinHashes(row: readonly Hash[]): Uint8Array {
  const bytes = new Uint8Array(row.length * HASH_BYTES);
  row.forEach((hash, at) => bytes.set(hash, at * HASH_BYTES));
  return bytes;
}
