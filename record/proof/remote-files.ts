import { RecordError } from '../entries/entries.ts';

export class RecordUnavailable extends Error {
  override name = 'RecordUnavailable';
}

export class RecordMissing extends RecordError {}

export type FileReader = (path: string, maxBytes: number) => Promise<Uint8Array>;

export interface RemoteFilesOptions {
  /** Address of the log with a slash at the end: `https://snapswipe.example/log/`. */
  baseUrl: string;
  signal?: AbortSignal | undefined;
  wait?: (ms: number) => Promise<void>;
  /** Time for the first byte of a file, and for each half megabyte after it. */
  timeoutMs?: number | undefined;
  /** Throws when the run is out of time. */
  beforeRead?: ((path: string) => void) | undefined;
}

/** A busy or unreachable server may recover; one that is slow or sends garbage gets a second chance. */
const ATTEMPTS = { busy: 5, away: 5, slow: 2, corrupt: 2 } as const;
const FIRST_WAIT_MS = 500;
/** A server that asks for a longer wait counts as unavailable. */
const MAX_WAIT_MS = 60_000;
const TIMEOUT_MS = 15_000;
const BYTES_PER_TIMEOUT = 512 * 1024;
const MAX_TIMEOUTS = 12;
const BUSY = new Set([429, 502, 503, 504]);

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Time before the next attempt: as the server asks, otherwise doubled each time. */
function waitMsOf(response: Response | null, attempt: number): number {
  const seconds = Number(response?.headers.get('retry-after') ?? Number.NaN);
  return Math.min(MAX_WAIT_MS, seconds > 0 ? seconds * 1000 : FIRST_WAIT_MS * 2 ** attempt);
}

function createDeadline(timeoutMs: number) {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  const whole = setTimeout(abort, timeoutMs * MAX_TIMEOUTS);
  let part: ReturnType<typeof setTimeout> | undefined;
  let allowed = 0;
  const extend = (length: number): void => {
    if (length < allowed) return;
    allowed = length + BYTES_PER_TIMEOUT;
    clearTimeout(part);
    part = setTimeout(abort, timeoutMs);
  };
  const clear = (): void => [whole, part].forEach((timer) => clearTimeout(timer));
  extend(0);
  return { signal: controller.signal, extend, clear };
}

async function bytesOf(
  response: Response,
  { path, maxBytes, onLength }: { path: string; maxBytes: number; onLength: (length: number) => void },
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done || !value) break;
    length += value.length;
    onLength(length);
    if (length > maxBytes) {
      // Not awaited: an endless body may never end.
      reader?.cancel().catch(() => undefined);
      throw new RecordError(`${path} has more than ${maxBytes} bytes`);
    }
    parts.push(value);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

export interface RemoteFile {
  bytes: Uint8Array;
  headers: Headers;
}

/** busy: by the status of its response · corrupt: the body ended too early or cannot be decompressed. */
type Failure = keyof typeof ATTEMPTS;
type Attempt = { file: RemoteFile } | { file: null; failure: Failure; response: Response | null };

/** @throws RecordMissing, or RecordUnavailable where another attempt is useless. */
function expectAnother(path: string, response: Response | null): void {
  if (response?.status === 404) throw new RecordMissing(`${path} is missing`);
  if (response && !BUSY.has(response.status)) {
    throw new RecordUnavailable(`The server responds to ${path} with ${response.status}`);
  }
}

function textOf(failure: Failure, path: string, baseUrl: string): string {
  switch (failure) {
    case 'busy':
      return `The server is too busy for ${path}`;
    case 'away':
      return `${new URL(baseUrl).host} cannot be reached`;
    case 'slow':
      return `The server is too slow: ${path} did not arrive in time`;
    case 'corrupt':
      return `${path} is corrupt or was cut off in transit`;
  }
}

const JSON_TYPE = 'application/json';
const asJson = (message: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': JSON_TYPE, accept: JSON_TYPE },
  body: JSON.stringify(message),
});

/** Reads over HTTP, with further attempts at a busy server and limits of size and time. */
export function remoteReader({
  baseUrl,
  signal,
  wait = pause,
  timeoutMs = TIMEOUT_MS,
  beforeRead,
}: RemoteFilesOptions) {
  async function attempt(path: string, maxBytes: number, message?: object): Promise<Attempt> {
    const deadline = createDeadline(timeoutMs);
    let response: Response | null = null;
    try {
      const both = signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal;
      response = await fetch(`${baseUrl}${path}`, { signal: both, ...(message && asJson(message)) });
      if (!response.ok) {
        response.body?.cancel().catch(() => undefined);
        return { file: null, failure: 'busy', response };
      }
      const bytes = await bytesOf(response, { path, maxBytes, onLength: deadline.extend });
      return { file: { bytes, headers: response.headers } };
    } catch (error) {
      if (error instanceof RecordError || signal?.aborted) throw error;
      const failure = deadline.signal.aborted ? 'slow' : response ? 'corrupt' : 'away';
      return { file: null, failure, response: null };
    } finally {
      deadline.clear();
    }
  }

  /** A message is posted as JSON. */
  return async function read(path: string, maxBytes: number, message?: object): Promise<RemoteFile> {
    for (let at = 1; ; at += 1) {
      beforeRead?.(path);
      const result = await attempt(path, maxBytes, message);
      if (result.file) return result.file;
      const { failure, response } = result;
      expectAnother(path, response);
      if (at >= ATTEMPTS[failure]) throw new RecordUnavailable(textOf(failure, path, baseUrl));
      await wait(waitMsOf(response, at - 1));
    }
  };
}

export function remoteFiles(options: RemoteFilesOptions): FileReader {
  const read = remoteReader(options);
  return async (path, maxBytes) => (await read(path, maxBytes)).bytes;
}
