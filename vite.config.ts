import path from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { scopedName } from '#ops/page/css-names.ts';
import { precompress } from '#ops/page/precompress.ts';
import { readableVerifier } from '#ops/page/readable-verifier.ts';
import { withoutLaterCode } from '#ops/page/without-later-code.ts';

/** The address at which the development server finds the API. */
const apiUrl = process.env.API_URL ?? 'http://localhost:3000';
/** The folder of the build, which is not served yet (ops/page/build-page.ts). */
const folder = process.env.PAGE_FOLDER ?? path.join(import.meta.dirname, 'dist', 'vite');

const BASE = /node_modules\/(react|react-dom|scheduler|wouter|clsx)\//;
const KIT =
  /\/web\/(lib\/(announce|api-error|chunks|external-store|http|loadable|page-json|paths|server-clock|session|session-store|site|storage|theme|title|toast|use-is-near|wallet-state)|wallet-gate|app\/(app|extension-errors|routes)|components\/(layout\/(?!toast-viewport|footer)[\w-]+|session\/(connect-button|wallet-control)|states\/(boundary|kept|on-demand|page-boundary|page-skeleton)|values\/snap-coin)|ui\/(class-names|create-icon|button|skeleton|visually-hidden))\.tsx?$|\/shared\/(constants|site\/(first-paint|screens)|text\/text)\.ts$|preload-helper/;
/** The icons of header, footer and landing page, and what the landing page shares with others: small files that would each pay for a header. */
const FIRST_ICONS =
  /\/shared\/numbers\/number-text\.ts$|lucide-react\/dist\/esm\/icons\/(flask-conical|moon|square-plus|sun|user-round|wallet)\./;
/** Icons that several pages share, in one file: the entry names every file, so fewer files keep it small. */
const SHARED_ICONS = /lucide-react\/dist\/esm\/icons\//;

/** Shared by the deck and by pages with data; a visitor's deck needs none of the latter. */
const PARTS =
  /\/web\/(components\/(project\/(changed-line|project-image|x-logo)|states\/(empty-state|error-state))|lib\/(key-of|next-frame|record-event)|offline\/waiting-votes|ui\/(badge|picture)|voting\/(outcome|vote-(looks|type)))\.tsx?$|\/shared\/text\/day-text\.ts$|lucide-react\/dist\/esm\/icons\/(chevron-right|cloud-off|redo-2|store|undo-2|x)\./;

/** The deck of users and visitors, and the waiting votes, in one file instead of six. Styles stay separate. */
const DECK = /\/web\/(deck\/|offline\/guest-vote|components\/session\/count-votes)(?!.*\.css$)/;

/** Modules of every page with data: twenty files of a kilobyte would be twenty round trips on a phone. Not for the first JavaScript. */
const READS =
  /node_modules\/@tanstack\/(?!.*\/(useInfiniteQuery|infiniteQueryObserver))|\/web\/lib\/(api|copy-text|fetch-page|queries|save-file|toast-error|use-(is-past|server-now|settled))\.ts$|\/with-queries\.tsx$|\/shared\/(endpoints|figures\/cost-to-change|money\/money|numbers\/interval|people\/report-kinds|rules|states\/votes|voting\/reasons)\.ts$|\/web\/components\/listing\/(claim|insights)-path\.ts$|\/web\/components\/(charts\/day-table|states\/read-note|session\/session-ended|project\/counted-textarea|follow\/follow(s|-star)|values\/(name|percent-badge|vote-bar|rank-badge|evidence|live-time|snap-worth|time-left|wait-text)|user\/use-stats)\.tsx?$|\/web\/ui\/(card|field|fold|segmented|whole-link)\.tsx?$|lucide-react\/dist\/esm\/icons\/(shield-check|trophy|pen-line|eye-off|clock|message-square-text|star)\./;

/** A pattern's replacement may name groups by a dollar sign; the folder may have one in its name. */
const ownFile = (file: string): string => path.resolve(file).replaceAll('$', '$$$$');

/** The browser app in web/, built for the server to serve. `#shared/…` is resolved through package.json `imports`. */
export default defineConfig({
  root: 'web',
  plugins: [react(), tailwindcss(), precompress(), withoutLaterCode(), readableVerifier()],
  resolve: {
    alias: [
      // React has this hook itself; the shim is for older ones.
      { find: /^use-sync-external-store\/shim(\/index\.js)?$/, replacement: 'react' },
      { find: /^\.\.\/createLucideIcon\.mjs$/, replacement: ownFile('web/ui/create-icon.ts') },
      { find: /^regexparam$/, replacement: ownFile('web/lib/no-patterns.ts') },
    ],
  },
  css: { modules: { generateScopedName: scopedName } },
  // All of `environments` with one build.
  builder: {},
  build: {
    outDir: folder,
    emptyOutDir: true,
    target: 'baseline-widely-available',
    // Browsers that do not know modulepreload (Safari before 17) fetch a chunk when it is imported.
    modulePreload: {
      polyfill: false,
      // Every page has these before anything is loaded on demand.
      resolveDependencies: (_file, needed) => needed.filter((file) => !/\/(?:base|kit|rolldown-runtime)-/.test(file)),
    },
    // The CSP allows no data: URLs except for images; small files stay files.
    assetsInlineLimit: 0,
  },
  environments: {
    client: {
      build: {
        manifest: true,
        sourcemap: 'hidden',
        // Licenses of the packages in the page, which most of them ask to be shipped with it; see THIRD_PARTY.md.
        license: { fileName: 'licenses.md' },
        rolldownOptions: {
          output: {
            // The entry names every file there is: a hash costs as many bytes as it has letters. Seven are the fewest
            // that the bundler takes for more than 64 chunks.
            chunkFileNames: 'assets/[name]-[hash:7].js',
            assetFileNames: 'assets/[name]-[hash:7][extname]',
            codeSplitting: {
              // Modules of every page, in one file that stays cached over releases; in ten it would be a kilobyte more.
              groups: [
                { name: 'base', test: BASE },
                { name: 'kit', test: new RegExp(`${KIT.source}|${FIRST_ICONS.source}`) },
                { name: 'parts', test: PARTS },
                // Loaded by every page after its start, even without data.
                { name: 'entry-state', test: /\/web\/lib\/(entry-state|install-offer)\.ts$/ },
                { name: 'reads', test: READS },
                { name: 'deck', test: DECK },
                { name: 'icons', test: SHARED_ICONS, minShareCount: 2 },
              ],
            },
          },
        },
      },
    },
    // The first paint, for the server: one file with all it needs, in a folder that is not served.
    ssr: {
      define: { 'process.env.NODE_ENV': '"production"' },
      resolve: { noExternal: true },
      build: {
        outDir: path.join(folder, '.ssr'),
        copyPublicDir: false,
        rolldownOptions: {
          input: 'web/app/first-paint.tsx',
          output: { entryFileNames: 'first-paint.js', codeSplitting: false },
        },
      },
    },
    // The verifier for everyone: one file that needs nothing but Node, served as /trust/verify.mjs.
    verifier: {
      consumer: 'server',
      resolve: { noExternal: true },
      build: {
        outDir: path.join(folder, 'trust'),
        copyPublicDir: false,
        // Syntax is lowered module by module (below), not in the file that the plugin has written.
        target: 'esnext',
        rolldownOptions: {
          input: 'record/verify/main.ts',
          transform: { target: 'node20' },
          optimization: { inlineConst: false },
          // Declarations of endpoints that the verifier does not read.
          treeshake: {
            manualPureFunctions: ['openly', 'projectSchemas', 'z', 'Project'],
            moduleSideEffects: false,
            propertyReadSideEffects: false,
          },
          output: { entryFileNames: 'verify.mjs', codeSplitting: false, minify: false },
        },
      },
    },
    // The service worker, in a folder that is not served: the server writes the release in front of it (server/site/worker.ts).
    worker: {
      consumer: 'client',
      // The worker is only ever built: `npm run dev` has nothing to look for here.
      optimizeDeps: { noDiscovery: true },
      build: {
        outDir: path.join(folder, '.worker'),
        copyPublicDir: false,
        rolldownOptions: {
          input: 'web/worker/main.ts',
          output: { entryFileNames: 'service-worker.js', format: 'iife', codeSplitting: false },
        },
      },
    },
  },
  server: {
    strictPort: false,
    // With the slash at the end: '/api' alone would also take /api.ts, a module of the page.
    proxy: {
      '/api/': apiUrl,
      '/images/': apiUrl,
      '/og/': apiUrl,
      '/log/': apiUrl,
      '/badge/': apiUrl,
      '/embed/': apiUrl,
      '/trust/record': apiUrl,
      '/trust/standing': apiUrl,
    },
  },
});
