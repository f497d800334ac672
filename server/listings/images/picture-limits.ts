export interface PictureLimits {
  processorMs: number;
  megabytes: number;
}

export const EXIT_CODES = { tooMuchMemory: 101, tooMuchWork: 102 };
