/** `npm run shots`: pictures of every screen, phone and desktop, light and dark, in ./shots. */
import { buildPage, isPageBuilt } from '#ops/page/build-page.ts';
import { findChromium } from '#ops/install/chromium.ts';
import { run } from '#ops/process/programs.ts';

if (!(await isPageBuilt())) await buildPage();
const env = { CHROMIUM_PATH: await findChromium(), SHOTS: '1' };
const { code } = await run('playwright', ['test', '--project=shots', ...process.argv.slice(2)], { env, show: true });
if (code === 0) console.log('The pictures are in ./shots');
process.exitCode = code;
