/**
 * Decodes and encodes pictures for the server, in a process of its own: what a hostile picture does to time and memory ends here.
 * One message in, one out; ends with its parent.
 */
import { writeFileSync } from 'node:fs';
import { encodeImage, TooManyPixelsError, UnreadableImageError } from '#db/encode-image.ts';
import type { EncodeRequest, EncodeResponse } from './encoder.ts';

const [maxMegabytes = 512] = process.argv.slice(2).map(Number);
const CHECK_MS = 25;

/** Where memory is short on the machine, this process ends before the server and the database. */
function endFirst(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Not Linux, or not allowed: the limit below still holds.
  }
}

function failureOf(error: unknown) {
  if (error instanceof TooManyPixelsError) return 'too_many_pixels';
  return error instanceof UnreadableImageError ? 'unreadable' : 'internal';
}

endFirst();
setInterval(() => {
  // The picture is decoded in threads that no heap limit sees.
  if (process.memoryUsage.rss() > maxMegabytes * 1024 * 1024) process.exit(1);
}, CHECK_MS).unref();
process.on('disconnect', () => process.exit(0));
process.on('message', ({ bytes, options }: EncodeRequest) => {
  const reply = (response: EncodeResponse) => process.send?.(response);
  encodeImage(Buffer.from(bytes), options).then(
    (image) => reply({ image }),
    (error: unknown) => reply({ failure: failureOf(error), message: String(error) }),
  );
});
process.send?.({ ready: true } satisfies EncodeResponse);
