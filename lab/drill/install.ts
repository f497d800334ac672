import { existsSync } from 'node:fs';
import { appendFile, cp } from 'node:fs/promises';
import https from 'node:https';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { requestSuiFromFaucetV2 } from '@mysten/sui/faucet';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import type { CheckResult } from '#ops/doctor/check.ts';
import { installDebianPackage } from '#ops/install/machine-packages.ts';
import { isFree } from '#ops/process/free-port.ts';
import { run } from '#ops/process/programs.ts';
import { messageOf, step } from '#ops/process/report.ts';
import { makeFolder, startSandbox, TestOwner } from '../stack.ts';
import { type Container, bootContainer, makeDebian } from './container.ts';
import { fillInCommand, readWalk } from './walk.ts';

const HOST = 'snapswipe.example';
const ACME_HOST = 'acme.localhost';
const PASSWORD = 'correct horse battery staple';
const REPOSITORY = '/srv/snapswipe.git';
const CHAIN = { rpc: 9000, faucet: 9123 };
const PORTS = [80, 443, 2019, 3000, 5432, 9000, 9123, 14_000];
const PROGRAMS = { mmdebstrap: '/usr/bin/mmdebstrap', 'systemd-container': '/usr/bin/systemd-nspawn' };

async function checkMachine(): Promise<void> {
  if (process.getuid?.() !== 0) throw new Error('Only root can boot a container: run it as root.');
  const taken: number[] = [];
  for (const port of PORTS) if (!(await isFree(port))) taken.push(port);
  if (taken.length > 0)
    throw new Error(
      `Nothing was installed: these ports are in use here: ${taken.join(', ')}. End the programs that use them, such as a demo of \`npm start\` (${CHAIN.rpc} and ${CHAIN.faucet}).`,
    );
  for (const [name, program] of Object.entries(PROGRAMS)) {
    const problem = existsSync(program) ? null : await installDebianPackage(name);
    if (problem !== null) throw new Error(`${name} could not be installed (${problem}).`);
  }
}

/** @throws Error with the end of its output */
async function mustRun(
  container: Container,
  line: string,
  input = '',
  env: Record<string, string> = {},
): Promise<string> {
  const { code, output } = await container.shell(line, { input, env });
  if (code !== 0) throw new Error(`\`${line}\` ended with code ${code}:\n${output.split('\n').slice(-25).join('\n')}`);
  return output;
}

/** An authority like Let's Encrypt: another Caddy, because this machine has no public name. */
const AUTHORITY = `{
  admin off
  http_port 14001
  https_port 14000
  skip_install_trust
  storage file_system /srv/acme
}
https://${ACME_HOST} {
  tls internal
  acme_server
}
`;
/** Certificate authorities of the machine; those of this one are copied, because it may be behind a proxy. */
const AUTHORITIES = '/usr/local/share/ca-certificates';
const TRUST = { NODE_EXTRA_CA_CERTS: '/etc/ssl/certs/ca-certificates.crt' };
const ROOT_CERTIFICATE = '/srv/acme/pki/authorities/local/root.crt';

async function startAuthority(container: Container): Promise<void> {
  await mustRun(container, 'mkdir -p /srv/acme && cat > /srv/acme/Caddyfile', AUTHORITY);
  await mustRun(
    container,
    'systemd-run --quiet --unit=acme --setenv=HOME=/srv/acme caddy run --config /srv/acme/Caddyfile',
  );
  await mustRun(container, `for i in $(seq 300); do test -s ${ROOT_CERTIFICATE} && exit; sleep 0.2; done; exit 1`);
  const options = `acme_ca https://${ACME_HOST}:14000/acme/local/directory\\n\\tacme_ca_root /etc/caddy/root.crt`;
  await mustRun(container, `install -m 644 ${ROOT_CERTIFICATE} /etc/caddy/root.crt`);
  await mustRun(container, `cp ${ROOT_CERTIFICATE} ${AUTHORITIES}/drill.crt && update-ca-certificates`);
  await mustRun(container, `sed -i '0,/^{$/s|^{$|{\\n\\t${options}|' /etc/caddy/Caddyfile && systemctl reload caddy`);
}

function load(page: string, ca: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      servername: HOST,
      path: page,
      ca,
      agent: false,
      headers: { host: HOST },
      timeout: 10_000,
    };
    const sent = https.get(options, (response) => {
      let body = '';
      response.on('data', (data: Buffer) => (body += data.toString()));
      response.once('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    sent.once('timeout', () => sent.destroy(new Error('no response')));
    sent.once('error', reject);
  });
}

async function isServed(ca: string): Promise<void> {
  const deadlineMs = Date.now() + 120_000;
  for (;;) {
    const found = await load('/', ca).catch((error: unknown) => ({ status: 0, body: messageOf(error) }));
    if (found.status === 200 && found.body.includes('<title>')) return;
    if (Date.now() > deadlineMs)
      throw new Error(`https://${HOST} is not served: ${found.status} ${found.body.slice(0, 300)}`);
    await sleep(500);
  }
}

const EXCUSED: Record<string, RegExp> = {
  Settings: /^OPERATOR is empty[^;]*$/,
};
const isExcused = ({ name, what }: CheckResult): boolean => EXCUSED[name]?.test(what) ?? false;

function readDoctor(output: string): CheckResult[] {
  const found = JSON.parse(output.slice(output.indexOf('['))) as CheckResult[];
  for (const { name, state, what } of found) console.log(`    ${state.padEnd(5)}${name.padEnd(15)}${what}`);
  return found;
}

async function walk(container: Container, wallet: string): Promise<void> {
  const values = { '<repository>': REPOSITORY, '<admin wallet>': wallet, mainnet: 'localnet' };
  let folder = '/root';
  for (const command of await readWalk()) {
    const line = fillInCommand(command, values);
    if (line.startsWith('cd ')) {
      folder = line.slice(3);
      continue;
    }
    // Steps between the commands that the authority and the certificate need.
    if (line === 'npm run doctor') return;
    await step(line, () => mustRun(container, `cd ${folder} && ${line}`, `${PASSWORD}\n`, TRUST));
  }
}

async function examineSite(container: Container): Promise<string> {
  await step('A certificate by ACME', () => startAuthority(container));
  const ca = await mustRun(container, `cat ${ROOT_CERTIFICATE}`);
  await step(`https://${HOST} is served`, () => isServed(ca));
  await step('A backup by its service', () => mustRun(container, 'systemctl start snapswipe-backup.service'));
  const doctor = 'cd /opt/snapswipe && npm run --silent doctor -- --json';
  const { output } = await container.shell(doctor, { env: TRUST });
  const failed = readDoctor(output).filter((result) => result.state !== 'ok' && !isExcused(result));
  if (failed.length > 0) throw new Error(`The doctor is not content: ${JSON.stringify(failed, null, 2)}`);
  return ca;
}

async function shakeService(container: Container, ca: string): Promise<void> {
  const pid = () => mustRun(container, 'systemctl show --property=MainPID --value snapswipe');
  const ready =
    'for i in $(seq 300); do node -e \'fetch("http://127.0.0.1:3000/readyz").then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))\' && exit; sleep 0.2; done; exit 1';
  await step('A reload answers every request', async () => {
    const before = await pid();
    await mustRun(container, 'systemctl reload snapswipe');
    let failures = 0;
    for (let each = 1; each <= 150; each += 1) {
      const { status } = await load('/', ca).catch(() => ({ status: 0 }));
      if (status !== 200) failures += 1;
      await sleep(100);
    }
    if (failures > 0) throw new Error(`${failures} of 150 requests failed`);
    if ((await pid()) !== before) throw new Error('the service was restarted instead');
  });
  await step('A server that is killed comes back', async () => {
    const before = await pid();
    await mustRun(container, 'systemctl kill --kill-whom=all --signal=KILL snapswipe');
    await mustRun(container, ready);
    if ((await pid()) === before) throw new Error('the service has not started again');
  });
  await step('It ends in time', () =>
    mustRun(container, 'systemctl stop snapswipe && test "$(systemctl is-failed snapswipe)" = inactive'),
  );
  await step('It runs with little power', () =>
    mustRun(container, 'systemctl start snapswipe && systemd-analyze security --threshold=20 snapswipe'),
  );
  await mustRun(container, ready);
  await step('A second installation changes nothing', async () => {
    const sum = 'sha256sum /opt/snapswipe/.env /etc/caddy/Caddyfile';
    const before = await mustRun(container, sum);
    await mustRun(container, `/opt/snapswipe/ops/deploy/install.sh ${HOST} 0x1 localnet`);
    if ((await mustRun(container, sum)) !== before) throw new Error('settings or proxy were changed');
  });
}

export async function drillInstall(): Promise<void> {
  await checkMachine();
  const owner = new TestOwner();
  try {
    const folder = await makeFolder(owner, 'install');
    await startSandbox(owner, { ports: CHAIN });
    const wallet = new Ed25519Keypair().toSuiAddress();
    await requestSuiFromFaucetV2({ host: 'http://127.0.0.1:9123', recipient: wallet });
    const root = path.join(folder, 'debian');
    await step('A fresh Debian 12', () => makeDebian(root));
    await appendFile(path.join(root, 'etc/hosts'), `127.0.0.1 localhost ${HOST} ${ACME_HOST}\n`);
    if (existsSync(AUTHORITIES)) await cp(AUTHORITIES, path.join(root, AUTHORITIES), { recursive: true });
    const bare = path.join(folder, 'snapswipe.git');
    await run('git', ['clone', '--quiet', '--bare', '.', bare]);
    const booted = await step('It boots', () => bootContainer(root, { [bare]: REPOSITORY }));
    await owner.atEnd(() => booted.end());
    await walk(booted, wallet);
    await shakeService(booted, await examineSite(booted));
    console.log(`✓ ${(await readWalk()).length} commands from a fresh Debian to https://${HOST}`);
  } finally {
    await owner.end();
  }
}
