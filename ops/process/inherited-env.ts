/** Variables that our processes inherit without other settings: paths of programs, and of compiled code. */
export const inheritedEnv = (): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
});
