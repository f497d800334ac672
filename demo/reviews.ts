import type { DemoVote } from './history.ts';
import { DEMO_PROJECTS } from './projects.ts';
import { randomFrom } from './random.ts';
import type { DemoVoter } from './voters.ts';

/** What voters wrote; + by one who voted bullish, - by one who voted bearish. */
const TEXTS: Record<string, string[]> = {
  'Tidepool Swap': [
    '+Moved half my stables here. Ranges closed up on their own during the Sunday dip and I did nothing.',
    '+The little wave that shows your range moving is the best chart in DeFi. Fight me.',
    '-Good product, but I would like to read a second audit before I bring the rest.',
  ],
  'Lantern Lend': [
    '+Got soft-liquidated for 40 cents instead of my whole bag. 10/10 would be liquidated again.',
    '+My actual grandmother understood the health bar. She says I am overleveraged.',
  ],
  Harborline: [
    '+Redeemed at 3 am on a holiday. Took nine seconds.',
    '-Boring. Which is the point, I guess. Still boring.',
  ],
  Quillvault: ['+"Sell a third if it doubles, otherwise leave me alone." It understood. I feel seen.'],
  'Saltwind Perps': [
    '-20x is how I lost my shoes last time. UI is lovely though.',
    '+The panic button really works. Ask me how I know.',
  ],
  'Copper Kettle': ['-It whistled. My pool was indeed cold. Hope they renew the listing and fix the oat farm.'],
  'Glass Orchard': [
    '+My tree dropped its leaves while I was camping and I felt real guilt. Incredible.',
    '+Grafted a pear onto a plum. Got something called a plear. Not selling.',
    '+Watering reminders are the only push notifications I have on.',
  ],
  'Paper Foxes': [
    '+Unfolded mine: the letter was from 2019 and it was an apology.',
    '-Pretty, but unfolding burns it. Think twice!',
  ],
  'Hollow Gems': ['+A hundred strangers tapping on a rock at midnight. Best party of the month.'],
  'Tessera Club': [
    '+Swapped with 6 neighbours, finally part of the nose. I am the nose.',
    '-Too slow unless your neighbours are awake.',
  ],
  'Midnight Postcards': ['+Number 143 hangs printed over my desk. Please come back for season two.'],
  'Longship Mutiny': [
    '+We mutinied against our own captain by 7 to 5 and then sank. Game of the year.',
    '+Rowing in sync with people on voice chat is weirdly moving.',
    '-Servers creak on raid night. Fun when they hold.',
  ],
  'Slime Courier': ['+Two-minute runs they said. It is 4 am.', '+My ghost beat me. Twice. With a bigger parcel.'],
  'Nullwake Fleets': ['+No dice means no excuses. I have no excuses.'],
  'Mosslight Keep': ['+A hedgehog paid rent with a story about my own castle. How.'],
  'Gravel Kings': ['-My sponsor was a potato brand and they took my wheels. Fair, but ouch.'],
  'Gulp the Frog': [
    '+He will not give it back. I respect that.',
    '-Read the whitepaper. It is shorter than this review.',
    '+gulp',
  ],
  Butterside: ['+Buttered both sides. No regrets.'],
  Honkonomics: [
    '+Central bank minutes: honk, honk, HONK (hawkish).',
    '-Supply went down because nobody could stop honking. Neighbours moved out.',
  ],
  'Nap Cat': ['+Finally a market that respects my own nap schedule. 😴'],
  'Spud Republic': ['-Elected king on Monday, mashed by Friday. No severance.', '+Long live the potato.'],
  'Inky Eight': ['+Every arm holds a coin and one of them was mine. Worth it.'],
  Relaykite: [
    '+Switched our indexer over at lunch. p99 fell by half, invoice fell by a third.',
    '+Support answered with a trace id and a fix. In that order.',
  ],
  Moveyard: ['+Read the diff, saw the tests, saw the signer, upgraded. How it should be everywhere.'],
  Beaconry: ['+One lamp went dark last week and nobody noticed except the dashboard. Good sign.'],
  Hexloom: ['+Replayed a whole day in eleven seconds. My coffee was still too hot.'],
  Coldforge: ['-My most patient friend has lost his phone. We are working on it.'],
  Oakmoot: [
    '+They funded our seed library and asked for photos, not metrics.',
    '+Slowest vote I ever took part in. Also the best discussed.',
  ],
  Commonwell: ['-The level was low in week one, let us see who refills.'],
  'Reef Stewards': [
    '+Dived one of the two greener reefs in May. It is true, there are wrasse everywhere.',
    '+Payout came before my wetsuit was dry.',
  ],
  'Murmur Rooms': [
    '+Our room faded mid-argument. Healthiest thing that ever happened to us.',
    '-I keep losing recipes.',
  ],
  'Carrier Post': ['+My letter took two days and made somebody cry (good tears).'],
  "Cartographer's Guild": [
    '+Paid for walking my dog down 14 unmapped alleys. Dog demands a cut.',
    '+The footpath layer saved our hike.',
  ],
  'Sunday Solar': ['+My square metre earned a coffee this month. Small coffee. Real coffee.'],
};

export interface DemoReview {
  /** The vote of the review's author on its project. */
  vote: DemoVote;
  content: string;
  atMs: number;
}

/** Every text with an author who voted that way, written within hours of the vote; oldest first. */
export function planReviews(votes: readonly DemoVote[], nowMs: number): DemoReview[] {
  const written = new Map<DemoVoter, number>();
  const reviews = DEMO_PROJECTS.flatMap((project) => {
    const random = randomFrom(`reviews of ${project.name}`);
    const free = random.shuffle(votes.filter((vote) => vote.project === project));
    return (TEXTS[project.name] ?? []).flatMap((text): DemoReview[] => {
      const fitting = free.filter(({ bullish }) => bullish === text.startsWith('+'));
      const vote = fitting.sort((one, other) => (written.get(one.voter) ?? 0) - (written.get(other.voter) ?? 0))[0];
      if (vote === undefined) return [];
      free.splice(free.indexOf(vote), 1);
      written.set(vote.voter, (written.get(vote.voter) ?? 0) + 1);
      const atMs = vote.atMs + Math.floor(Math.min(random.range(60_000, 9 * 3_600_000), (nowMs - vote.atMs) * 0.9));
      return [{ vote, content: text.slice(1), atMs }];
    });
  });
  return reviews.sort((one, other) => one.atMs - other.atMs);
}
