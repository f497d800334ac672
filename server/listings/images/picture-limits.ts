export interface PictureLimits {
  /** Processor time, independent of the machine's load. */
  processorMs: number;
  megabytes: number;
}

export const EXIT_CODES = { tooMuchMemory: 101, tooMuchWork: 102 };
