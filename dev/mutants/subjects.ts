/** What `npm run mutants` can be asked for: sources by their beginnings, and whose tests are asked beside the sources' own. */
export interface Subject {
  name: string;
  sources: RegExp;
  /** Tests of the same matter in other folders; they are asked after those of the source's own folder. */
  tests: RegExp;
}

export const SUBJECTS: Subject[] = [
  {
    name: 'votes',
    sources:
      /^(server\/votes\/|server\/leaderboard\/|server\/projects\/(feed|active|ranked|voted)|shared\/rules\.ts|db\/binary-arrays)/,
    tests: /^server\/(votes|leaderboard|projects|properties)\//,
  },
  {
    name: 'money',
    sources: /^(server\/(payments|orders|withdrawals|supply|admin\/payouts)\/|chain\/|shared\/(money|payment-phases))/,
    tests: /^(server\/(payments|orders|withdrawals|supply|admin\/payouts|properties)\/|sandbox\/)/,
  },
  {
    name: 'sessions',
    sources:
      /^(server\/auth\/|server\/http\/(session|session-queries|access|mount|handlers|declare|device|origin|client-address|security-headers)\.ts|server\/trusted-proxies\.ts|server\/admin\/(login|gate|password)\.ts)/,
    tests: /^server\/(auth\/|http\/|admin\/login|attacks\/|proxies|contract|app|site\/pages|votes\/votes)/,
  },
  {
    name: 'cache',
    sources: /^server\/(cache\/|replica\.ts|site\/card-cache)/,
    tests: /^server\/(cache|replica|pooler|http\/pages|attacks\/cache|projects\/feed-memory|site)/,
  },
  {
    name: 'jobs',
    sources: /^server\/(jobs|ledger)\//,
    tests: /^server\/(jobs|ledger|pooler|payments|admin\/payouts|leaderboard|supply)/,
  },
  {
    name: 'roles',
    sources:
      /^(shared\/roles\.ts|server\/http\/role\.ts|server\/admin\/(console\/|(roles|people|verify-password|audit|moderation|queue|reports|routes|settings|votes|appeals)\.ts))/,
    tests: /^server\/(admin\/(?!payouts)|contract)/,
  },
  {
    name: 'accounts',
    sources: /^(server\/(accounts|users)\/|shared\/retention\.ts)/,
    tests: /^server\/(accounts|users|auth|jobs|daily-deck)\//,
  },
  {
    name: 'standing',
    sources: /^(server\/standing\/|shared\/states\/)/,
    tests: /^server\/(standing\/|admin\/states|jobs\/)/,
  },
  {
    name: 'record',
    sources: /^(server\/record\/|verify\/|shared\/(log|record|proof)\/)/,
    tests: /^(server\/(record|ledger)\/|verify\/)/,
  },
  {
    name: 'talk',
    sources: /^server\/(notices|reports|reviews|activity)\//,
    tests: /^server\/(notices|reports|reviews|activity|jobs|admin\/moderation)/,
  },
  {
    name: 'open',
    sources:
      /^server\/(open|badge|insights|trends|daily-deck|search)\/|^server\/http\/(pages|read-budget|cors)\.ts|^shared\/(insights|daily-deck|trending|interval)\.ts/,
    tests: /^server\/(open|badge|insights|trends|daily-deck|search|http\/pages|attacks\/reads)/,
  },
  {
    name: 'operations',
    sources: /^server\/(metrics|doctor|overview|telemetry)\//,
    tests: /^server\/(metrics|doctor|overview|telemetry|admin\/people)/,
  },
  {
    name: 'sql',
    sources: /^db\/(migrations|functions)\//,
    tests:
      /^(server\/(votes|leaderboard|projects|supply|cache|jobs|auth|payments|withdrawals|admin|http|pooler|page-plans|properties|users|table-bounds|accounts|record|standing|trends|search|notices|reports|reviews|insights|daily-deck)|db\/)/,
  },
  { name: 'web', sources: /^web\//, tests: /^web\// },
  { name: 'rules', sources: /^shared\//, tests: /^shared\// },
];

/** Where the tests are of what no module calls by its name: triggers, guards, policies, bounds of tables. */
export const SQL_HINTS: Array<[scope: RegExp, tests: RegExp]> = [
  [/_(changed|updated|inserted|deleted)$|^notify_servers/, /^server\/(cache|leaderboard)\//],
  [/balance|entry_|readable|rewards/, /^server\/(supply|admin\/console)\//],
  [/^(list_project|feed_of)/, /^server\/projects\/feed/],
  [/^(undo_vote|keep_undone|period_at)$/, /^server\/votes\/undo/],
  [/^keep_deleted_empty$/, /^server\/accounts\//],
  [/^(balance_leaf|pseudonym_of|are_ascending|new_secret)$/, /^server\/record\//],
  [/top_voters/, /^server\/leaderboard\//],
  [/^grant_console/, /^server\/admin\/console\//],
  [/^(slug_base|name_key|without_invisible)/, /^server\/(projects\/names|invisible)/],
  [/^(sessions?_|auth_|admin_)/, /^server\/(auth|admin\/login)/],
  [
    /^(users|sessions|projects|project_stats|user_stats|token_ledger|reviews|payments|payout_\w+|withdrawals)$/,
    /^server\/table-bounds/,
  ],
];

/** Tests, what only tests use, types and data: nothing that a fault could hide in. */
const NO_SOURCE =
  /\.test\.tsx?$|\.fixture\.ts$|\.d\.ts$|^(server|web)\/testing\/|^server\/(properties|attacks)\/|^shared\/(contract|first-paint)|^chain\/testing/;

/** The subject of a file that faults can be planted in. */
export function subjectOf(file: string): Subject | undefined {
  if (NO_SOURCE.test(file) || !/\.(tsx?|sql)$/.test(file)) return undefined;
  return SUBJECTS.find(({ sources }) => sources.test(file));
}
