import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createTestApp } from '#lab/testing/app.ts';
import { metricNames } from '#lab/testing/metrics.ts';

/** From Debian's package prometheus; `npm run test:all` installs it where it can. */
const PROMTOOL = '/usr/bin/promtool';
const folder = new URL('../deploy/monitoring/', import.meta.url);
const readSample = (name: string): Promise<string> => readFile(new URL(name, folder), 'utf8');
/** Exit code and output. */
function promtool(args: string[], input = ''): { code: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(PROMTOOL, args, { cwd: folder, input, encoding: 'utf8' });
  return { code: status, output: stdout + stderr };
}

const METRICS_TOKEN = 'of-this-test-alone';
const server = await createTestApp({ env: { METRICS_TOKEN } });
const scrape = async (): Promise<string> =>
  (await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })).text();

const Dashboard = z.object({
  panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })).default([]) })),
});

/** Names in expressions of PromQL; Prometheus itself makes `up`. */
const namesIn = (expressions: string): string[] => [
  ...new Set(expressions.match(/\b(?:snapswipe|process|nodejs)_[a-z0-9_]+\b/g)),
];

describe('names of metrics', () => {
  test('the alert rules name existing metrics', async () => {
    const rules = (await readSample('alerts.yml')).match(/(?<=expr: ).*/g)?.join('\n') ?? '';
    const names = namesIn(rules);
    expect(names.length).toBeGreaterThan(20);
    const known = metricNames(await scrape());
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });

  test('the dashboard names existing metrics, and most of ours', async () => {
    const { panels } = Dashboard.parse(JSON.parse(await readSample('grafana-dashboard.json')));
    const names = namesIn(panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join('\n'));
    const known = metricNames(await scrape());
    expect(names.filter((name) => !known.has(name))).toEqual([]);
    expect(names.length).toBeGreaterThan(30);
  });

  test('the documentation names existing metrics, and each of ours', async () => {
    const documented = await readFile(new URL('../../docs/operate/monitoring.md', import.meta.url), 'utf8');
    const ours = [...(await scrape()).matchAll(/^# TYPE snapswipe_(\S+)/gm)].map(([, name = '']) => name);
    expect(ours.length).toBeGreaterThan(30);
    expect(ours.filter((name) => !documented.includes(`\`${name}`))).toEqual([]);
  });
});

describe.skipIf(!existsSync(PROMTOOL))("Prometheus' own checks", () => {
  test('Prometheus accepts configuration and rules of the sample', () => {
    expect(promtool(['check', 'config', 'prometheus.yml'])).toMatchObject({ code: 0 });
  });

  test('each alert fires on its own fault, and none while all is well', async () => {
    const { code, output } = promtool(['test', 'rules', 'alerts.test.yml']);
    expect(output).toContain('SUCCESS');
    expect(code).toBe(0);
    const [rules, tests] = [await readSample('alerts.yml'), await readSample('alerts.test.yml')];
    const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
    expect(alerts.length).toBeGreaterThan(20);
    const silent = [...tests.matchAll(/alertname: (\w+), exp_alerts: \[\]/g)].map(([, name]) => name);
    const firing = [...tests.matchAll(/alertname: (\w+)\n\s+exp_alerts:(?: &[\w-]+)?\n\s+- exp_labels/g)].map(
      ([, name]) => name,
    );
    expect([silent, firing]).toEqual([alerts, alerts]);
  });

  test('a scrape has the form that Prometheus requires, names and units included', async () => {
    const { code, output } = promtool(['check', 'metrics'], await scrape());
    expect(output.split('\n').filter((line) => line.startsWith('snapswipe'))).toEqual([]);
    // 3: it reports names of prom-client's own.
    expect([0, 3]).toContain(code);
  });
});
