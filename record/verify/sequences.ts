import { VOTE_REWARD_TOKENS } from '#shared/constants.ts';
import { REASONS, REASONS_EACH, REASONS_EVERY_DAYS, REASONS_MIN_VOTERS } from '#shared/voting/reasons.ts';
import { daysBetween } from '../entries/days.ts';
import { type EntryOf, type ProjectTotals, type RecordEntry } from '../entries/entries.ts';
import type { Differences } from './report.ts';

interface Proof {
  hash: string;
  state: EntryOf<'owner'>['state'];
}

/** State of a project after the entries so far. */
class Listing {
  versions = 0;
  identity = 1;
  readonly blanked = new Set<number>();
  readonly same = new Set<number>();
  readonly proofs = new Set<string>();
  proof: Proof | null = null;
  readonly reasonsDays = new Map<string, string>();
  readonly totals = new Map<number, ProjectTotals>();

  /** Votes that count, of all periods. */
  sum(name: keyof ProjectTotals): number {
    return [...this.totals.values()].reduce((sum, totals) => sum + totals[name], 0);
  }
}

/** Which entries may follow which (docs/use/record.md): reports what an honest server never writes. */
export class Sequences {
  private readonly differences: Differences;
  private readonly listings = new Map<number, Listing>();
  private fileDay = '';
  private supply: EntryOf<'supply'> | null = null;
  /** All that the record names, and the Snaps that were paid by hand. */
  readonly books: EntryOf<'book'>[] = [];
  byHand = 0;

  constructor(differences: Differences) {
    this.differences = differences;
  }

  private of(projectId: number): Listing {
    const listing = this.listings.get(projectId) ?? new Listing();
    this.listings.set(projectId, listing);
    return listing;
  }

  /** The newest identity of a project. */
  identityOf(projectId: number): number {
    return this.listings.get(projectId)?.identity ?? 1;
  }

  /** `votes`: how many the record has up to the end of this batch. */
  read(entry: RecordEntry, index: number, votes: number): void {
    const expect = (holds: boolean, difference: string) =>
      this.differences.expect(holds, () => `Entry ${index} ${difference}`);
    switch (entry.kind) {
      case 'project':
        this.of(entry.projectId).totals.set(entry.period, entry);
        break;
      case 'version':
        return this.readVersion(entry, expect);
      case 'blank': {
        const { versions, blanked } = this.of(entry.projectId);
        const name = `version ${entry.number} of project ${entry.projectId}`;
        expect(entry.number >= 1 && entry.number <= versions, `blanks ${name}, which it has not had`);
        expect(!blanked.has(entry.number), `blanks ${name} again`);
        blanked.add(entry.number);
        break;
      }
      case 'same':
      case 'apart':
        return this.readSame(entry, expect);
      case 'owner':
        return this.readOwner(entry, expect);
      case 'reasons':
        return this.readReasons(entry, expect);
      case 'file':
        expect(entry.day > this.fileDay, `names the file of ${entry.day} again`);
        this.fileDay = entry.day;
        break;
      case 'book':
        this.books.push(entry);
        break;
      case 'payout':
        expect(entry.snaps > 0, 'pays nothing');
        this.byHand += entry.snaps;
        break;
      case 'supply':
        return this.readSupply(entry, VOTE_REWARD_TOKENS * votes, expect);
    }
  }

  private readVersion({ projectId, number, identity }: EntryOf<'version'>, expect: Expect): void {
    const listing = this.of(projectId);
    const { versions, identity: before } = listing;
    expect(number === versions + 1, `is version ${number} of project ${projectId}, after version ${versions}`);
    const isNext = identity === before || (number > 1 && identity === before + 1);
    expect(isNext, `gives project ${projectId} identity ${identity}, after ${before}`);
    listing.versions += 1;
    listing.identity = identity;
  }

  private readSame({ kind, projectId, identity }: EntryOf<'same' | 'apart'>, expect: Expect): void {
    const { same, identity: newest } = this.of(projectId);
    const name = `identity ${identity} of project ${projectId}`;
    expect(
      identity > 1 && identity <= newest,
      `is about an identity that project ${projectId} has not had: ${identity}`,
    );
    if (kind === 'same') {
      expect(!same.has(identity), `confirms ${name} again`);
      same.add(identity);
    } else {
      expect(same.has(identity), `takes back ${name}, which is not confirmed`);
      same.delete(identity);
    }
  }

  /** A hash is proven once, may change between `proven` and `controls`, and is lost once. */
  private readOwner({ projectId, state, hash }: EntryOf<'owner'>, expect: Expect): void {
    const listing = this.of(projectId);
    const { proof, proofs } = listing;
    const isPresent = proof?.hash === hash;
    const name = `the proof ${hash} of project ${projectId}`;
    if (state === 'lost')
      expect(isPresent && proof.state !== 'lost', `loses ${name}, which is not the newest or is lost`);
    else if (isPresent) {
      const isOther = proof.state !== state && proof.state !== 'accepted' && state !== 'accepted';
      expect(proof.state !== 'lost' && isOther, `says '${state}' of ${name}, which is '${proof.state}'`);
    } else expect(!proofs.has(hash), `names ${name} again`);
    proofs.add(hash);
    listing.proof = { hash, state };
  }

  private readReasons(entry: EntryOf<'reasons'>, expect: Expect): void {
    const { day, projectId, group, bullish, voters } = entry;
    const listing = this.of(projectId);
    const key = `${group} ${bullish}`;
    const before = listing.reasonsDays.get(key);
    const given = REASONS.map((reason) => entry[reason]);
    const sum = given.reduce((all, one) => all + one, 0);
    const verified = listing.sum(bullish ? 'verifiedBullish' : 'verifiedBearish');
    const most = group === 'verified' ? verified : listing.sum(bullish ? 'bullish' : 'bearish') - verified;
    const name = `the reasons of voters on project ${projectId}`;
    expect(voters >= REASONS_MIN_VOTERS, `names ${name} with fewer than ${REASONS_MIN_VOTERS} voters`);
    expect(voters <= most, `names ${name}: ${voters} voters, of ${most}`);
    expect(
      sum >= voters && sum <= REASONS_EACH * voters && Math.max(...given) <= voters,
      `names ${name}: ${voters} voters gave ${sum} reasons`,
    );
    expect(
      before === undefined || daysBetween(before, day) >= REASONS_EVERY_DAYS,
      `names ${name} again within ${REASONS_EVERY_DAYS} days`,
    );
    listing.reasonsDays.set(key, day);
  }

  /** `rewards`: of all votes so far. Sums fall only with a restore. */
  private readSupply(entry: EntryOf<'supply'>, rewards: number, expect: Expect): void {
    const { supply: before, byHand } = this;
    const { granted, burned, paid, held, lost, ahead } = entry;
    const isRestored = lost > (before?.lost ?? 0) || ahead > (before?.ahead ?? 0);
    for (const name of ['granted', 'burned', 'paid'] as const)
      expect(
        isRestored || entry[name] >= (before?.[name] ?? 0),
        `has ${entry[name]} Snaps ${name}, before it ${before?.[name]}`,
      );
    const owed = rewards + granted - burned - paid - lost;
    expect(lost <= rewards, `has lost ${lost} Snaps of votes that earned ${rewards}`);
    expect(owed >= held, `owes ${owed} Snaps and holds ${held} of them`);
    const known = byHand - ahead;
    const isPaid = this.books.length > 0 ? paid >= known : paid === known;
    expect(isPaid && known >= 0, `has ${paid} Snaps paid; by hand were ${byHand}, ${ahead} of them not in the books`);
    this.supply = entry;
  }
}

type Expect = (holds: boolean, difference: string) => void;
