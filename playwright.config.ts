import { existsSync } from 'node:fs';
import { defineConfig, devices, type PlaywrightTestOptions, type Project } from '@playwright/test';
import type { Base } from './lab/e2e/base.ts';
import { HEADLESS_SHELL, QUIET_ARGUMENTS } from '#ops/install/chromium.ts';

/** Playwright's own list (of 1.65), which a second list replaces, and the address bar's suggestions: two pages in each window. */
const DISABLED_FEATURES = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
];

const LAUNCH_ARGUMENTS = [
  ...QUIET_ARGUMENTS,
  // Without a graphics card the browser draws in software either way, and faster without imitating one.
  '--disable-gpu',
  `--disable-features=${DISABLED_FEATURES.join(',')}`,
];

const launched = (executablePath: string) => ({ launchOptions: { executablePath, args: LAUNCH_ARGUMENTS } });

/** Chromium as Debian ships it, or as CHROMIUM_PATH says (set by `npm test`): the browser that people have. */
const wholeBrowser = launched(process.env.CHROMIUM_PATH ?? '/usr/bin/chromium');

/**
 * Debian's headless shell: the same engine without windows, in four fifths of the processor time. Where it is missing, the whole browser.
 * Front doors stay in the whole browser: they claim that a user's browser can use the product. Rejected: Playwright's own shell, a download
 * of another version.
 */
const ownShell = process.env.CHROMIUM_PATH === undefined && existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : undefined;
const shellPath = process.env.HEADLESS_SHELL_PATH ?? ownShell;
const headlessShell = shellPath === undefined ? wholeBrowser : launched(shellPath);

const desktop = { viewport: { width: 1440, height: 900 } };
const phone = devices['Pixel 7'];
const FRONT_DOOR = '**/front-door/**';
const ENGINES = '**/engines/**';
const ALONE = '**/*.alone.e2e.ts';

/** Front doors of both devices; the others are named for the phone (`*.phone.e2e.ts`), or run on the desktop alone. */
const ON_BOTH = `${FRONT_DOOR}/{deck,early,guest,screens,change,follow,record,return}.e2e.ts`;
const TRANSLATED = `${FRONT_DOOR}/{screens,return,talk,record,roles,leave,translated}.e2e.ts`;

/** The core of each screen: what `npm test` runs. All others and translated pages are for `npm run test:all`. */
const CORE = {
  frontDoor: '**/front-door/{screens,guest,change}.e2e.ts',
  frontDoorPhone: '**/front-door/deck.e2e.ts',
  desktop: '**/e2e/{payments,withdraw,profile,portfolio,project,leaderboard,trust,subscription,admin}.e2e.ts',
};
const isShort = process.env.TEST_LANE === 'short';

/** A dependency would skip these journeys when another one fails. Only when everything runs: Playwright adds a teardown to any project. */
const beforeAlone = process.env.TEST_LANE === 'all' ? { teardown: 'alone' } : {};

const FURTHER: Project<PlaywrightTestOptions & Pick<Base, 'isTranslated'>>[] = [
  {
    name: 'phone',
    ...beforeAlone,
    use: { ...phone, ...headlessShell },
    testMatch: '**/*.phone.e2e.ts',
    testIgnore: FRONT_DOOR,
  },
  {
    name: 'translated',
    ...beforeAlone,
    use: { ...desktop, ...wholeBrowser, colorScheme: 'dark', isTranslated: true },
    testMatch: TRANSLATED,
  },
  // Runs alone and last: all others would see the payout queue change, and cards of renamed listings.
  { name: 'alone', use: { ...desktop, ...headlessShell }, testMatch: ALONE, workers: 1 },
];

export default defineConfig<Pick<Base, 'isTranslated'>>({
  testDir: './lab/e2e',
  testMatch: '**/*.e2e.ts',
  outputDir: './test-results',
  globalSetup: './lab/e2e/global-setup.ts',
  // Only a broken journey waits that long; a machine on which the journeys run twice at the same time must not break one.
  timeout: 360_000,
  expect: { timeout: 20_000 },
  fullyParallel: true,
  // Journeys wait for animations and responses: two more than there are cores keep both busy.
  workers: 4,
  // In the long lane, failed journeys run once more at the end, alone; those that pass then are named (failed-tests.ts).
  retries: process.env.TEST_LANE === 'all' ? 1 : 0,
  retryStrategy: 'isolated',
  forbidOnly: Boolean(process.env.CI),
  reporter: process.env.CI ? [['line']] : [['list']],
  use: {
    actionTimeout: 30_000,
    // A trace of every journey takes a third of the time: `npx playwright test --trace=retain-on-failure` when one is wanted.
    trace: 'off',
    // Taken by the fixtures where a journey fails (lab/e2e/base.ts).
    screenshot: 'off',
    contextOptions: { reducedMotion: 'no-preference' },
    // Journeys that route requests must see all of them, and those of a worker pass by `page.route`. The front doors allow it.
    serviceWorkers: 'block',
  },
  projects: [
    // The longest journeys come first: the short ones fill what is left of the others' time.
    {
      name: 'front-door-desktop',
      ...beforeAlone,
      use: { ...desktop, ...wholeBrowser, colorScheme: 'light' },
      testMatch: isShort ? CORE.frontDoor : `${FRONT_DOOR}/*.e2e.ts`,
      testIgnore: ['**/*.phone.e2e.ts', '**/translated.e2e.ts', ALONE],
    },
    {
      name: 'front-door-phone',
      ...beforeAlone,
      use: { ...phone, ...wholeBrowser, colorScheme: 'dark' },
      testMatch: isShort ? CORE.frontDoorPhone : [`${FRONT_DOOR}/*.phone.e2e.ts`, ON_BOTH],
    },
    // Those of ENGINES, such as 'Firefox,WebKit', by their own protocols (`npm test -- engines` installs and names them).
    ...(process.env.ENGINES ? [{ name: 'engines', testMatch: `${ENGINES}/*.e2e.ts` }] : []),
    {
      name: 'desktop',
      ...beforeAlone,
      use: { ...desktop, ...headlessShell },
      ...(isShort ? { testMatch: CORE.desktop } : {}),
      testIgnore: [FRONT_DOOR, ENGINES, '**/*.phone.e2e.ts', ALONE],
    },
    ...(isShort ? [] : FURTHER),
    // Pictures for people, not tests: only when asked for (npm run shots).
    ...(process.env.SHOTS ? [{ name: 'shots', use: wholeBrowser, testMatch: '**/*.shots.ts' }] : []),
  ],
});
