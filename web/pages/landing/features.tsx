import { REVIEW_COST_TOKENS, VOTE_REWARD_TOKENS, VOTE_WINDOW_HOURS, VOTES_PER_WINDOW } from '#shared/constants.ts';
import { numberText } from '#shared/numbers/number-text.ts';
import { Link } from 'wouter';
import { paths } from '../../lib/paths.ts';

const FEATURES = [
  {
    title: 'One wallet, one vote',
    text: 'Nobody can vote twice on a project or vote on their own listing. Wallets are free, so we also show how wallets that hold SUI voted.',
    link: 'How votes are checked',
  },
  {
    title: 'Keep your streak',
    text: 'One vote a day keeps it going.',
  },
  {
    title: 'A fair pace',
    text: `${VOTES_PER_WINDOW} votes every ${VOTE_WINDOW_HOURS} hours, so nobody floods the board.`,
  },
  {
    title: 'Reviews that cost something',
    text: `Writing one takes ${numberText(REVIEW_COST_TOKENS)} Snaps, about ${numberText(REVIEW_COST_TOKENS / VOTE_REWARD_TOKENS)} votes' worth, so people write only what matters.`,
  },
];

export function Features() {
  return (
    <section aria-labelledby="features" className="page grid gap-8 pt-16 md:pt-24">
      <h2 id="features" className="max-w-[20ch] text-2xl md:text-4xl">
        Votes you can check
      </h2>
      <ul className="grid gap-x-8 gap-y-6 sm:grid-cols-2 lg:grid-cols-4">
        {FEATURES.map(({ title, text, link }) => (
          <li key={title} className="grid content-start gap-2 border-t border-line pt-5">
            <h3 className="text-lg">{title}</h3>
            <p className="text-muted">{text}</p>
            {link ? (
              <Link href={paths.trust} className="text-link underline underline-offset-4">
                {link}
              </Link>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}
