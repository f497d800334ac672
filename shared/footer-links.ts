/** What the footer of every page links to: address, words, and whether it is a document of the server's, which is no screen. */
export const FOOTER_LINKS: readonly (readonly [href: string, name: string, isDocument?: true])[] = [
  ['/leaderboard', 'Leaderboard'],
  ['/trust', 'How votes are checked'],
  ['/submit-project', 'List a project'],
  ['/supply', 'Snaps supply'],
  ['/developers', 'Developers'],
  ['/terms', 'Terms', true],
  ['/privacy', 'Privacy', true],
];
