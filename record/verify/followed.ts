import { PSEUDONYM_BYTES } from '../entries/secrets.ts';

export interface Finished {
  bullish: boolean;
  isReplaced: boolean;
  wasBullish: boolean;
  /** Days since 1970. */
  dayNumber: number;
  saidOn: number;
}

const WIDTH = PSEUDONYM_BYTES + 5;
const REPLACED = 1;
const BULLISH = 2;
const WAS_BULLISH = 4;

/** The votes of one project and period in a few bytes each, in the order of the record: that of their pseudonyms. */
export class Followed {
  readonly period: number;
  private bytes = Buffer.alloc(1024 * WIDTH);
  private count = 0;

  constructor(period: number) {
    this.period = period;
  }

  add({ pseudonym, bullish, wasBullish, isReplaced, dayNumber, saidOn }: Finished & { pseudonym: string }): void {
    if (this.count * WIDTH === this.bytes.length) this.bytes = Buffer.concat([this.bytes, this.bytes]);
    const at = this.count * WIDTH;
    this.bytes.write(pseudonym, at, 'base64url');
    this.bytes[at + PSEUDONYM_BYTES] =
      (isReplaced ? REPLACED : 0) | (bullish ? BULLISH : 0) | (wasBullish ? WAS_BULLISH : 0);
    this.bytes.writeUInt16BE(dayNumber, at + PSEUDONYM_BYTES + 1);
    this.bytes.writeUInt16BE(saidOn, at + PSEUDONYM_BYTES + 3);
    this.count += 1;
  }

  private at(place: number): Finished & { pseudonym: Buffer } {
    const at = place * WIDTH;
    const flags = this.bytes[at + PSEUDONYM_BYTES] ?? 0;
    return {
      pseudonym: this.bytes.subarray(at, at + PSEUDONYM_BYTES),
      isReplaced: (flags & REPLACED) !== 0,
      bullish: (flags & BULLISH) !== 0,
      wasBullish: (flags & WAS_BULLISH) !== 0,
      dayNumber: this.bytes.readUInt16BE(at + PSEUDONYM_BYTES + 1),
      saidOn: this.bytes.readUInt16BE(at + PSEUDONYM_BYTES + 3),
    };
  }

  *all(): Generator<Finished & { pseudonym: Buffer }> {
    for (let place = 0; place < this.count; place += 1) yield this.at(place);
  }

  find(pseudonym: Buffer): Finished | null {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = this.bytes.compare(pseudonym, 0, PSEUDONYM_BYTES, middle * WIDTH, middle * WIDTH + PSEUDONYM_BYTES);
      if (order === 0) return this.at(middle);
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return null;
  }
}
