import type { EntryOf, RecordEntry } from '../entries/entries.ts';

/** Index of the batch of an entry. */
interface InBatch {
  batch: number;
}

/** The latest facts of the record about a listing. */
export interface ListingFacts {
  versions: Array<Pick<EntryOf<'version'>, 'identity' | 'hash'> & InBatch>;
  /** Numbers of versions that a moderator blanked. */
  blanked: Map<number, InBatch>;
  /** Identities that a moderator confirmed as the previous project. */
  same: Map<number, InBatch>;
  owner: (EntryOf<'owner'> & InBatch) | null;
  /** The newest figures of each group and direction, as 'verified bullish'. */
  reasons: Map<string, EntryOf<'reasons'>>;
}

/** Collects the facts of listings entry by entry. LayoutReader checks their order. */
export class ListingFactsReader {
  readonly byProject = new Map<number, ListingFacts>();

  private of(projectId: number): ListingFacts {
    const known = this.byProject.get(projectId);
    if (known) return known;
    const facts: ListingFacts = {
      versions: [],
      blanked: new Map(),
      same: new Map(),
      owner: null,
      reasons: new Map(),
    };
    this.byProject.set(projectId, facts);
    return facts;
  }

  read(entry: RecordEntry, batch: number): void {
    switch (entry.kind) {
      case 'version': {
        const { identity, hash } = entry;
        this.of(entry.projectId).versions.push({ identity, hash, batch });
        break;
      }
      case 'blank':
        this.of(entry.projectId).blanked.set(entry.number, { batch });
        break;
      case 'same':
        this.of(entry.projectId).same.set(entry.identity, { batch });
        break;
      case 'apart':
        this.of(entry.projectId).same.delete(entry.identity);
        break;
      case 'reasons':
        this.of(entry.projectId).reasons.set(`${entry.group} ${entry.bullish ? 'bullish' : 'bearish'}`, entry);
        break;
      case 'owner':
        Object.assign(this.of(entry.projectId), { [entry.kind]: { ...entry, batch } });
    }
  }
}
