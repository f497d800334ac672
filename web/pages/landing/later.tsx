import { MIN_WITHDRAWAL_TOKENS, REVIEW_COST_TOKENS, SUBMIT_CATEGORIES, VOTE_REWARD_TOKENS } from '#shared/constants.ts';
import { numberText } from '#shared/numbers/number-text.ts';

export { Features } from './features.tsx';

const STEPS = [
  {
    title: 'Connect',
    text: 'Use any Sui wallet, or Google through Slush. You sign one message; nothing is paid.',
  },
  {
    title: 'Swipe',
    text: `Right is bullish, left is bearish. ${SUBMIT_CATEGORIES.slice(0, 3).join(', ')} and more: one card, one vote.`,
  },
  {
    title: 'Earn',
    text: `Each vote adds ${VOTE_REWARD_TOKENS} Snaps to your balance. Request a payout from ${MIN_WITHDRAWAL_TOKENS}, or spend ${numberText(REVIEW_COST_TOKENS)} on a review.`,
  },
];

export function Steps() {
  return (
    <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[1fr_2.4fr]">
      <h2 id="how" className="text-2xl md:text-4xl">
        How It Works
      </h2>
      <ol className="grid gap-x-8 gap-y-6 md:grid-cols-3">
        {STEPS.map((step, index) => (
          <li
            key={step.title}
            className="grid grid-cols-[auto_1fr] content-start gap-x-4 gap-y-1 md:grid-cols-1 md:gap-y-3"
          >
            <span
              aria-hidden
              className="row-span-2 grid h-14 w-11 -rotate-6 place-items-center rounded-md border border-line-strong/60 bg-overlay font-display text-lg font-extrabold text-link shadow-card md:row-span-1"
            >
              {index + 1}
            </span>
            <h3 className="text-lg">{step.title}</h3>
            <p className="text-muted">{step.text}</p>
          </li>
        ))}
      </ol>
    </div>
  );
}
