import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { z } from 'zod';
import { run } from '#ops/process/programs.ts';
import { step } from '#ops/process/report.ts';

const FOLDER = new URL('./lighthouse/', import.meta.url);

/** The parts of a report that the bench reads. */
const Report = z.object({
  runtimeError: z.object({ message: z.string() }).optional(),
  environment: z.object({ benchmarkIndex: z.number() }),
  categories: z.record(
    z.string(),
    z.object({
      score: z.number().nullable(),
      auditRefs: z.array(z.object({ id: z.string(), weight: z.number() })),
    }),
  ),
  audits: z.record(
    z.string(),
    z.object({
      title: z.string(),
      score: z.number().nullable(),
      displayValue: z.string().optional(),
      numericValue: z.number().optional(),
    }),
  ),
});
export type Report = z.output<typeof Report>;

interface LighthouseModule {
  default(url: string, flags: object): Promise<{ lhr: unknown } | undefined>;
}
interface LauncherModule {
  launch(options: object): Promise<{ port: number; kill(): void }>;
}

export interface Lighthouse {
  launch: LauncherModule['launch'];
  /** @throws Error when Lighthouse returned nothing. */
  audit(url: string, flags: object): Promise<Report>;
}

async function install(): Promise<void> {
  const folder = fileURLToPath(FOLDER);
  const { code, output } = await run('npm', ['ci', '--no-audit', '--no-fund', `--prefix=${folder}`], {
    timeoutMs: 10 * 60_000,
  });
  if (code !== 0) throw new Error(`npm could not install Lighthouse: ${output.trim().split('\n').at(-1)}`);
}

/** Lighthouse, which is 176 MB with its packages: installed into a separate folder when the bench first runs. */
export async function loadLighthouse(): Promise<Lighthouse> {
  if (!existsSync(new URL('node_modules/lighthouse', FOLDER))) await step('Lighthouse installed', install);
  const { resolve } = createRequire(new URL('package.json', FOLDER));
  const load = async (name: string): Promise<unknown> => import(pathToFileURL(resolve(name)).href);
  const { default: lighthouse } = (await load('lighthouse')) as LighthouseModule;
  const { launch } = (await load('chrome-launcher')) as LauncherModule;
  return {
    launch,
    async audit(url, flags) {
      const result = await lighthouse(url, flags);
      if (!result) throw new Error(`Lighthouse returned no result for ${url}`);
      return Report.parse(result.lhr);
    },
  };
}
