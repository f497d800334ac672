export interface PictureLimits {
  /** Processor time: a picture costs the same on an idle and on a busy machine. */
  processorMs: number;
  megabytes: number;
}

export const EXIT_CODES = { tooMuchMemory: 101, tooMuchWork: 102 };
