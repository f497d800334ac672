import { DATA, type Data, keptWords } from '#db/tables.ts';
import type { Config } from '#server/kit/config.ts';
import { coinsAtOnce } from '#shared/figures/cost-to-change.ts';
import { escapeMarkup } from '#shared/text/escape.ts';

type Operator = Pick<Config, 'operator' | 'logsAddresses'>;
type TermsOperator = Operator & Pick<Config, 'minAge' | 'excludedRegions'>;

const section = (title: string, ...paragraphs: readonly string[]): string =>
  `<h2>${title}</h2>${paragraphs.map((text) => `<p>${text}</p>`).join('')}`;
const list = (...items: readonly string[]): string => `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;

function operatorOf({ operator }: Operator): string {
  if (operator === null) return '';
  const lines = operator
    .map(escapeMarkup)
    .map((line) => (/^[^\s@]+@[^\s@]+$/.test(line) ? `<a href="mailto:${line}">${line}</a>` : line));
  return section('Who runs this site', lines.join('<br>'));
}

const keptOf = ({ kept, since }: Data): string =>
  kept === 'permanently' ? `Permanently: ${since}` : `${keptWords(kept)}${since ? ` after ${since}` : ''}`;

function retentionTable(): string {
  const personal = Object.values<Data>(DATA).filter(({ isPersonal = true }) => isPersonal);
  const rows = personal.map(
    (each) => `<tr><td>${escapeMarkup(each.data)}</td><td>${escapeMarkup(keptOf(each))}</td></tr>`,
  );
  return `<h2 id="kept">What is kept for how long</h2><table><thead><tr><th>Data</th><th>Kept</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

const addressesOf = ({ logsAddresses }: Operator): string =>
  section(
    'Your network address',
    logsAddresses
      ? 'The log of requests holds the address that you come from, to find faults and attacks. It is kept as long as the operator needs it for that, and is not part of the database.'
      : 'The log of requests does not hold the address that you come from. To keep the site usable it is counted in memory for an hour at most: how many requests come from it, and which listings it has viewed.',
    'Only of people who work in the admin panel the address is stored, in the audit log of what they did there.',
  );

/** The software's actual handling of personal data; an operator who does more describes it in a separate text. */
export const privacyText = (operator: Operator): string =>
  operatorOf(operator) +
  section(
    'What this site stores about you',
    'You sign in with a wallet, without a name, an email address, or a password. Its address is stored, and what you do with it here:',
  ) +
  list(
    'your votes, Snaps, payments, withdrawals, listings, reviews, replies, reports, and appeals',
    'a username, a picture, and links, if you add them',
    'which version of the <a href="/terms">terms</a> you agreed to, when you first signed in and when you first paid under it',
    'your sessions: the kind of browser, when you signed in, and when it was last seen, with one cookie that keeps you signed in',
    'for each day on which you vote, a hash of the network that you vote from (a block of addresses, never the address itself), whose salt is deleted after the day',
    'whether your wallet held enough SUI at two checks a day, and the coins of projects that you voted on, as the public chain shows it',
    'which kinds of notifications you chose, and the address to which your browser gets them',
  ) +
  addressesOf(operator) +
  section(
    'What it does not do',
    'No advertising, no analytics of other companies, no other cookies, and no pictures or scripts from other sites. Votes that you give before you sign in stay in your browser until you sign in to count them. Views of listings are counted without storing who viewed them.',
  ) +
  section(
    'Notifications',
    'If you turn notifications on, your browser names an address at the push service of its maker, such as Google, Mozilla, Apple, or Microsoft. Notifications go through that service, encrypted, so that it learns when one comes, but not what it says. The address is deleted when you sign out or turn notifications off.',
  ) +
  section(
    'What others can see',
    'Your username and picture or the short form of your wallet address, beside reviews and among the top voters. Others cannot see your votes. The figures of a project move with each vote: everyone can see which project got one, but not from whom. The number of your votes among the top voters is that of a closed day, and changes only together with those of nine or more other wallets with standing; while a site has fewer than thirty of these it is a step (10, 25, 50, 100, and so on) that you reached. The public record names a voter differently on each project, so that no one can follow you from one to another. Payments and payouts are transactions on the Sui chain, which everyone can read and no one can change or delete.',
    `This much can be concluded from the public record. Votes change with standing on Sundays, for all wallets together, and a gift of SUI turns no earlier vote. But everyone can see who sells: on a small site, where few votes change on a Sunday, those of a wallet that loses its standing, is new, or comes back in a quiet week can be linked to each other and to it. Ten wallets with standing take ${coinsAtOnce(10)} times the SUI of one, held for a week and not spent. Where few vote on a project on one day, people who know that you did can guess your vote. If you claim a listing that you voted on, others can tell that vote and its direction.`,
    'Payouts in a coin go through the Book, a public list on Sui of wallets and of the sum that each was ever paid. It shows that a wallet has voted here and how often at least, not on what, and no one can delete from it, not even when you delete your account. The public record names the transactions of payouts by hand.',
  ) +
  section(
    'Your rights',
    'In your <a href="/profile">profile</a>, under “Your data”, you can download everything that is stored about you, correct your profile, and delete your account.',
    'When you delete your account, your name, picture, links, notifications, activity, appeals, and sessions are deleted. Votes, the ledger of Snaps, and withdrawals stay under a number that cannot be traced back to you, because results and balances have to be provable; your listings and payments pass to one account that all deleted accounts share. Reviews stay without a name, or are removed if you ask for it. Snaps that are left are burned.',
    'A keyed hash of your wallet stays, and one for each project that you voted on or listed. They serve one purpose: a wallet that comes back must not vote twice. Payments of deleted accounts keep their transactions, as bookkeeping requires; the chain shows from which wallet these came. Amounts and times of withdrawals stay in the ledger and can be compared with the chain. Copies of the database are kept by the operator for a while, and your data goes with them when they are deleted.',
  ) +
  retentionTable();

function whoMayUse({ minAge, excludedRegions }: TermsOperator): string {
  const rules = [
    ...(minAge === null ? [] : [`You have to be ${minAge} years old or older.`]),
    ...(excludedRegions.length === 0
      ? []
      : [`You may not use this site in, or as a resident of: ${excludedRegions.map(escapeMarkup).join(', ')}.`]),
  ];
  return rules.length === 0 ? '' : section('Who may use this site', ...rules);
}

/** Rules that the software enforces; an operator who promises more or less describes it in a separate text. */
export const termsText = (operator: TermsOperator): string =>
  operatorOf(operator) +
  whoMayUse(operator) +
  section(
    'What this site is',
    'People vote on projects of the Sui ecosystem and earn Snaps. Votes are opinions, not financial advice. A listing is paid for and says nothing about the quality of a project.',
  ) +
  section(
    'What you may expect',
    'Each wallet has one vote per project and listing period. <a href="/trust">How votes are checked</a> says how they count, and anyone can recount them. A payment that does not match its order is credited or refunded after a review.',
  ) +
  section(
    'What is expected of you',
    'Vote for yourself, with one wallet. List only what you may list, under its own name. Write nothing unlawful, insulting, or misleading. Listings, reviews, and replies that break these rules are hidden with a reason, and votes are excluded for published reasons only. The owner of a hidden listing that was paid for can appeal once; the answer may be a refund of the fee.',
  ) +
  section(
    'Snaps',
    'Snaps are points of this site. You can ask for a payout. The operator decides whether and when it is paid, in the coin that the site names, if it names one, and can pause payouts. Snaps of a deleted account are burned.',
  ) +
  section(
    'Ending it',
    'You can delete your account at any time in your <a href="/profile">profile</a>. Paid listings then stay until they end and are not refunded.',
  );
