/** Encodes pictures in a separate process, which confines a hostile picture's use of time and memory. Ends with its parent. */
import { writeFileSync } from 'node:fs';
import { encodeImage, TooManyPixelsError, UnreadableImageError } from '#db/encode-image.ts';
import type { EncodeRequest, EncodeResponse } from './encoder.ts';
import { EXIT_CODES, type PictureLimits } from './picture-limits.ts';

const limits = JSON.parse(process.argv[2] ?? '') as PictureLimits;
const CHECK_MS = 25;

/** When memory is short, this process is killed before the server and the database. */
function endFirst(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {}
}

function failureOf(error: unknown) {
  if (error instanceof TooManyPixelsError) return 'too_many_pixels';
  return error instanceof UnreadableImageError ? 'unreadable' : 'internal';
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

endFirst();
let pictureFromMs = 0;
setInterval(() => {
  // Decoding threads are outside the heap limit.
  if (process.memoryUsage.rss() > limits.megabytes * 1024 * 1024) process.exit(EXIT_CODES.tooMuchMemory);
  if (processorMs() - pictureFromMs > limits.processorMs) process.exit(EXIT_CODES.tooMuchWork);
}, CHECK_MS).unref();
process.on('disconnect', () => process.exit(0));
process.on('message', ({ bytes, options }: EncodeRequest) => {
  pictureFromMs = processorMs();
  const reply = (response: EncodeResponse) => process.send?.(response);
  encodeImage(Buffer.from(bytes), options).then(
    (image) => reply({ image }),
    (error: unknown) => reply({ failure: failureOf(error), message: String(error) }),
  );
});
process.send?.({ ready: true } satisfies EncodeResponse);
