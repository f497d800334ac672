import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ProgramResult, run } from '#ops/process/programs.ts';

const BOOT_TIMEOUT_MS = 120_000;
const POWER_OFF_MS = 20_000;
const COMMAND_TIMEOUT_MS = 15 * 60_000;

export interface Container {
  shell(line: string, options?: { input?: string; env?: Record<string, string> }): Promise<ProgramResult>;
  end(): Promise<void>;
}

function findInit(parent: number): number | null {
  const file = `/proc/${parent}/task/${parent}/children`;
  const children = existsSync(file) ? readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number) : [];
  return children.find((pid) => readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'systemd') ?? null;
}

const LOGIN = {
  HOME: '/root',
  USER: 'root',
  LANG: 'C.UTF-8',
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
};

function enter(init: number): Container['shell'] {
  return async (line, { input = '', env = {} } = {}) => {
    const given = Object.entries({ ...LOGIN, ...env }).map(([name, value]) => `${name}=${value}`);
    const inside = ['--target', String(init), '--all', '--wdns=/root', 'env', '-i', ...given, 'sh', '-c', line];
    const child = spawn('nsenter', inside, { stdio: ['pipe', 'pipe', 'pipe'] });
    const timer = setTimeout(() => child.kill('SIGKILL'), COMMAND_TIMEOUT_MS);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()));
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    const [code] = (await once(child, 'close')) as [number | null];
    clearTimeout(timer);
    return { code: code ?? 124, output: output.trim() };
  };
}

async function waitForInit(child: ChildProcess): Promise<number> {
  const deadlineMs = Date.now() + BOOT_TIMEOUT_MS;
  for (;;) {
    const init = findInit(child.pid ?? 0);
    if (init !== null) return init;
    if (child.exitCode !== null || Date.now() > deadlineMs) throw new Error('systemd-nspawn did not start a system');
    await sleep(100);
  }
}

/** Boots the Debian of a folder with systemd, on the network of this machine. @throws Error with nspawn's message */
export async function bootContainer(root: string, binds: Record<string, string>): Promise<Container> {
  // Without systemd on this machine, no list of containers exists.
  const alone = existsSync('/run/systemd/system') ? [] : ['--keep-unit'];
  const bound = Object.entries(binds).map(([from, to]) => `--bind-ro=${from}:${to}`);
  const args = [
    '--quiet',
    '--register=no',
    ...alone,
    '--resolv-conf=copy-host',
    ...bound,
    '--boot',
    '--directory',
    root,
  ];
  const child = spawn('systemd-nspawn', args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (said = (said + data.toString()).slice(-2_000)));
  const init = await waitForInit(child).catch((error: Error) => {
    child.kill('SIGKILL');
    throw new Error(`${error.message}: ${said.trim()}`, { cause: error });
  });
  const kill = (): void => void process.kill(init, 'SIGKILL');
  process.once('exit', kill);
  const shell = enter(init);
  await shell(
    'for i in $(seq 600); do systemctl is-system-running 2>/dev/null | grep -qE "running|degraded" && exit; sleep 0.2; done',
  );
  return {
    shell,
    async end() {
      process.off('exit', kill);
      if (child.exitCode !== null) return;
      const gone = once(child, 'exit');
      await shell('systemctl poweroff');
      const late = setTimeout(kill, POWER_OFF_MS);
      await gone;
      clearTimeout(late);
    },
  };
}

export async function makeDebian(root: string): Promise<void> {
  const packages = '--include=systemd-sysv,dbus,procps,iproute2';
  const { code, output } = await run('mmdebstrap', ['--variant=minbase', packages, 'bookworm', root], {
    timeoutMs: COMMAND_TIMEOUT_MS,
  });
  if (code !== 0) throw new Error(`mmdebstrap failed: ${output.trim().split('\n').at(-1)}`);
}
