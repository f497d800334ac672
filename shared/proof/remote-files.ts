import { RecordError } from '../record/entries.ts';

/** The record cannot be read at the moment: the server is away, or busy. Says nothing about what is in it. */
export class RecordUnavailable extends Error {
  override name = 'RecordUnavailable';
}

/** There is no such file, or page: the server says so. */
export class RecordMissing extends RecordError {}

/** Reads a file below the log's address, at most so many bytes of it. */
export type FileReader = (path: string, maxBytes: number) => Promise<Uint8Array>;

export interface RemoteFilesOptions {
  /** Address of the log with a slash at the end: `https://snapswipe.example/log/`. */
  baseUrl: string;
  signal?: AbortSignal | undefined;
  /** Lets time pass before another attempt. */
  wait?: (ms: number) => Promise<void>;
}

const ATTEMPTS = 5;
const FIRST_WAIT_MS = 500;
/** A server that asks for more patience is away, in effect. */
const MAX_WAIT_MS = 60_000;
const TIMEOUT_MS = 60_000;
/** What a busy server or its proxy responds with. */
const BUSY = new Set([429, 502, 503, 504]);

/** Lets time pass. */
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** How long to wait before the next attempt: what the server asks for, else twice as long each time. */
function waitMsOf(response: Response | null, attempt: number): number {
  const seconds = Number(response?.headers.get('retry-after') ?? Number.NaN);
  return Math.min(MAX_WAIT_MS, seconds > 0 ? seconds * 1000 : FIRST_WAIT_MS * 2 ** attempt);
}

/** The body as bytes; stops reading where it becomes longer than allowed. */
async function bytesOf(response: Response, path: string, maxBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done || !value) break;
    length += value.length;
    if (length > maxBytes) {
      await reader?.cancel();
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

/** Why an attempt brought no file: the server's response, or none at all. */
type Attempt = { file: RemoteFile } | { file: null; response: Response | null };

/** @throws RecordMissing, RecordUnavailable where another attempt is of no use. */
function expectAnother(path: string, response: Response | null): void {
  if (response?.status === 404) throw new RecordMissing(`${path} is missing`);
  if (response && !BUSY.has(response.status)) {
    throw new RecordUnavailable(`The server responds to ${path} with ${response.status}`);
  }
}

/** Reads over HTTP, patiently: a busy server is asked again, a file that is too long is not read to its end. */
export function remoteReader({ baseUrl, signal, wait = pause }: RemoteFilesOptions) {
  async function attempt(path: string, maxBytes: number): Promise<Attempt> {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const both = signal ? AbortSignal.any([signal, timeout]) : timeout;
      const response = await fetch(`${baseUrl}${path}`, { signal: both });
      if (!response.ok) return { file: null, response };
      return { file: { bytes: await bytesOf(response, path, maxBytes), headers: response.headers } };
    } catch (error) {
      if (error instanceof RecordError || signal?.aborted) throw error;
      return { file: null, response: null };
    }
  }

  return async function read(path: string, maxBytes: number): Promise<RemoteFile> {
    let last: Response | null = null;
    for (let at = 0; at < ATTEMPTS; at += 1) {
      if (at > 0) await wait(waitMsOf(last, at - 1));
      const result = await attempt(path, maxBytes);
      if (result.file) return result.file;
      last = result.response;
      expectAnother(path, last);
    }
    throw new RecordUnavailable(
      last ? `The server is too busy for ${path}` : `${new URL(baseUrl).host} cannot be reached`,
    );
  };
}

export function remoteFiles(options: RemoteFilesOptions): FileReader {
  const read = remoteReader(options);
  return async (path, maxBytes) => (await read(path, maxBytes)).bytes;
}
