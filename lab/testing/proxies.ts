import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '#ops/process/free-port.ts';
import { startProgram } from './program.ts';

export const SITE_HOST = 'snapswipe.example';

export interface Proxy {
  httpPort: number;
  httpsPort: number;
  ca: string;
  logged(): Promise<string>;
  end(): Promise<void>;
}

interface Place {
  folder: string;
  httpPort: number;
  httpsPort: number;
  serverPort: number;
}

interface Sample {
  file: string;
  configure(place: Place): Promise<string[]>;
}

/** Replaces each text that a reader of the sample would change. @throws when the sample does not have it any longer */
export function fillIn(sample: string, values: Record<string, string>): string {
  let text = sample;
  for (const [placeholder, value] of Object.entries(values)) {
    if (!text.includes(placeholder)) throw new Error(`the sample has no '${placeholder}'`);
    text = text.replaceAll(placeholder, value);
  }
  return text;
}

/** The sample within Debian's nginx.conf, with compression of all types on and all files in the folder. */
const aroundNginxSample = (folder: string): string => `daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  gzip on;
  gzip_types *;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  include ${folder}/snapswipe.conf;
}
`;

async function configureNginx({ folder, httpPort, httpsPort, serverPort }: Place): Promise<string[]> {
  const sample = fillIn(await readFile('ops/deploy/nginx.conf', 'utf8'), {
    'listen 80;': `listen 127.0.0.1:${httpPort};`,
    'listen 443 ssl http2;': `listen 127.0.0.1:${httpsPort} ssl http2;`,
    'listen [::]:80;': '',
    'listen [::]:443 ssl http2;': '',
    '/etc/letsencrypt/live/snapswipe.example/fullchain.pem': `${folder}/site.crt`,
    '/etc/letsencrypt/live/snapswipe.example/privkey.pem': `${folder}/site.key`,
    '127.0.0.1:3000': `127.0.0.1:${serverPort}`,
    '/var/cache/nginx/snapswipe': `${folder}/cache`,
    '/var/log/nginx': folder,
    '/opt/snapswipe/server/site': folder,
  });
  await writeFile(`${folder}/snapswipe.conf`, sample);
  await writeFile(`${folder}/nginx.conf`, aroundNginxSample(folder));
  return ['-e', 'stderr', '-p', folder, '-c', `${folder}/nginx.conf`];
}

async function configureCaddy({ folder, httpPort, httpsPort, serverPort }: Place): Promise<string[]> {
  const ports = `http_port ${httpPort}\n\thttps_port ${httpsPort}\n\tdefault_bind 127.0.0.1`;
  const sample = fillIn(await readFile('ops/deploy/Caddyfile', 'utf8'), {
    '{\n\t# Without addresses': `{\n\tadmin off\n\t${ports}\n\t# Without addresses`,
    'snapswipe.example {\n': `snapswipe.example {\n\ttls ${folder}/site.crt ${folder}/site.key\n`,
    '127.0.0.1:3000': `127.0.0.1:${serverPort}`,
    '/opt/snapswipe/server/site': folder,
  });
  await writeFile(`${folder}/Caddyfile`, sample);
  return ['run', '--config', `${folder}/Caddyfile`, '--adapter', 'caddyfile'];
}

const PROGRAMS = {
  nginx: { file: '/usr/sbin/nginx', configure: configureNginx },
  Caddy: { file: '/usr/bin/caddy', configure: configureCaddy },
} satisfies Record<string, Sample>;

export type ProxyName = keyof typeof PROGRAMS;
const OPENSSL = '/usr/bin/openssl';

/** True if Debian's package of that name is installed, and openssl for a certificate; otherwise its tests are skipped. */
export const hasProxy = (name: ProxyName): boolean => existsSync(PROGRAMS[name].file) && existsSync(OPENSSL);

export async function writeCertificate(folder: string): Promise<string> {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', `${folder}/site.key`];
  const name = ['-subj', `/CN=${SITE_HOST}`, '-addext', `subjectAltName=DNS:${SITE_HOST}`];
  await promisify(execFile)(OPENSSL, ['req', '-x509', '-days', '2', ...key, ...name, '-out', `${folder}/site.crt`]);
  return readFile(`${folder}/site.crt`, 'utf8');
}

const readLog = (folder: string, name: string): Promise<string> =>
  readFile(path.join(folder, name), 'utf8').catch(() => '');

/** A real proxy with the sample of ops/deploy/, in front of the server on a loopback port, with ports and a certificate of its own. */
export async function startProxy(name: ProxyName, serverPort: number): Promise<Proxy> {
  const folder = await mkdtemp(path.join(tmpdir(), `snapswipe-${name.toLowerCase()}-`));
  const removeFolder = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    await chmod(folder, 0o755);
    await copyFile('server/site/away.html', path.join(folder, 'away.html'));
    const ca = await writeCertificate(folder);
    const [httpPort, httpsPort] = [await freePort(), await freePort()];
    const place: Place = { folder, httpPort, httpsPort, serverPort };
    const { file, configure } = PROGRAMS[name];
    const args = await configure(place);
    // Caddy keeps state in these.
    const env = { PATH: process.env['PATH'], HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
    const { output, stop } = await startProgram(file, args, [httpsPort, httpPort], { cwd: folder, env });
    const logged = async (): Promise<string> =>
      [output(), await readLog(folder, 'snapswipe.log'), await readLog(folder, 'snapswipe-error.log')].join('\n');
    const end = async (): Promise<void> => {
      await stop();
      await removeFolder();
    };
    return { httpPort, httpsPort, ca, logged, end };
  } catch (error) {
    await removeFolder();
    throw error;
  }
}
