/** What one picture may take: the process that encodes it ends itself beyond. */
export interface PictureLimits {
  /** Of the processor: a picture costs the same on an idle and on a busy machine. */
  processorMs: number;
  megabytes: number;
}

/** Exit codes by which that process blames the picture. Whatever else ends it says nothing about the picture. */
export const EXIT_CODES = { tooMuchMemory: 101, tooMuchWork: 102 };
