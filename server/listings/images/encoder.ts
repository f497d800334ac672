import { type ChildProcess, fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EncodedImage, type ImageOptions, TooManyPixelsError, UnreadableImageError } from '#db/encode-image.ts';
import { busy } from '#server/kit/http/errors.ts';
import { EXIT_CODES, type PictureLimits } from './picture-limits.ts';

/*
 * One process encodes one picture at a time: 1.3 KB of AVIF can contain fifty megapixels, and thirty of them took the server's threads for half
 * a minute and four gigabytes.
 */

export interface EncodeRequest {
  bytes: Uint8Array;
  options: ImageOptions;
}
export type EncodeResponse =
  | { ready: true }
  | { image: EncodedImage }
  | { failure: 'too_many_pixels' | 'unreadable' | 'internal'; message: string };

interface EncoderLimits extends Partial<PictureLimits> {
  maxWaiting?: number;
  patienceMs?: number;
  idleMs?: number;
}

export interface Encoder {
  /**
   * `userId` is the sender, null for the operator.
   * @throws UnreadableImageError, even when a picture takes too much work or memory; 503 when too many wait, another one of this user is
   * being encoded, or the machine has no time or memory.
   */
  encode(bytes: Uint8Array, options: ImageOptions, userId?: number | null): Promise<EncodedImage>;
  begun(): number;
  close(): void;
}

const tooMany = () => busy('pictures_busy', 'Too many pictures are being prepared at the moment. Try again soon.', 5);
const oneAtATime = () =>
  busy('pictures_busy', 'Another picture of yours is being prepared at the moment. Try again soon.', 5);
const tooBusy = () => busy('pictures_busy', 'The server is too busy to prepare this picture. Try again soon.', 5);

const FAILURES = { too_many_pixels: TooManyPixelsError, unreadable: UnreadableImageError, internal: Error };
const PROCESS_FILE = new URL('./encoder-process.ts', import.meta.url);

/** A tenth of the server's processor share for the encoder's thread (`UV_THREADPOOL_SIZE`). */
const PRIORITY = 10;

function standBack({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, PRIORITY);
  } catch {}
}

/** The next picture waits as long as the last one took, up to this time: half of the processors' time stays available for requests. */
const MAX_REST_MS = 2_000;
const pause = (ms: number): Promise<void> => sleep(Math.min(ms, MAX_REST_MS), undefined, { ref: false });

function blameFor(code: number | null, signal: NodeJS.Signals | null): Error {
  if (code === EXIT_CODES.tooMuchMemory) return new UnreadableImageError('The picture takes too much memory');
  if (code === EXIT_CODES.tooMuchWork) return new UnreadableImageError('The picture takes too much work');
  if (signal === 'SIGKILL') return tooBusy();
  return new UnreadableImageError(`The picture ended the process (${signal ?? code})`);
}

export function createEncoder(limits: EncoderLimits = {}): Encoder {
  const { maxWaiting = 8, processorMs = 20_000, patienceMs = 60_000, megabytes = 512, idleMs = 30_000 } = limits;
  let child: ChildProcess | null = null;
  let idleTimer: ReturnType<typeof setTimeout> | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  let inside = 0;
  const senders = new Set<number>();
  let begun = 0;

  function start(): ChildProcess {
    clearTimeout(idleTimer);
    if (child) return child;
    const started = fork(PROCESS_FILE, [JSON.stringify({ processorMs, megabytes } satisfies PictureLimits)], {
      serialization: 'advanced',
      execArgv: [],
      stdio: 'ignore',
      env: { UV_THREADPOOL_SIZE: '1' },
    });
    standBack(started);
    started.unref();
    started.channel?.unref();
    started.once('exit', () => {
      if (child === started) child = null;
    });
    child = started;
    return started;
  }

  function stop(): void {
    clearTimeout(idleTimer);
    child?.kill('SIGKILL');
    child = null;
  }

  function encodeNow(request: EncodeRequest): Promise<EncodedImage> {
    const running = start();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        stop();
        finish(() => reject(tooBusy()));
      }, patienceMs);
      const onMessage = (response: EncodeResponse): void => {
        if ('ready' in response) return void timer.refresh();
        finish(() => {
          if ('image' in response) resolve(response.image);
          else reject(new FAILURES[response.failure](response.message));
        });
      };
      const onExit = (code: number | null, signal: NodeJS.Signals | null): void =>
        finish(() => reject(blameFor(code, signal)));
      function finish(complete: () => void): void {
        clearTimeout(timer);
        running.off('message', onMessage).off('exit', onExit);
        idleTimer = setTimeout(stop, idleMs);
        idleTimer.unref();
        complete();
      }
      running.on('message', onMessage).on('exit', onExit);
      running.send(request);
    });
  }

  return {
    async encode(bytes, options, userId = null) {
      if (inside > maxWaiting) throw tooMany();
      if (userId !== null) {
        if (senders.has(userId)) throw oneAtATime();
        senders.add(userId);
      }
      inside += 1;
      const before = turn;
      let startedAtMs = 0;
      const own = before.then(() => {
        startedAtMs = performance.now();
        begun += 1;
        return encodeNow({ bytes, options });
      });
      const rest = () => pause(performance.now() - startedAtMs);
      turn = own.then(rest, rest);
      try {
        return await own;
      } finally {
        inside -= 1;
        if (userId !== null) senders.delete(userId);
      }
    },
    begun: () => begun,
    close: stop,
  };
}

export const encoder = createEncoder();
