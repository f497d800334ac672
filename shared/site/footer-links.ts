/** Links of the footer of every page: address, words, and whether the server renders it as a document instead of a screen. */
export const FOOTER_LINKS: readonly (readonly [href: string, name: string, isDocument?: true])[] = [
  ['/leaderboard', 'Leaderboard'],
  ['/trust', 'How votes are checked'],
  ['/submit-project', 'List a project'],
  ['/supply', 'Snaps supply'],
  ['/developers', 'Developers'],
  ['/terms', 'Terms', true],
  ['/privacy', 'Privacy', true],
];
