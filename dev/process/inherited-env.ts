/** What a process of ours takes from ours that is given no other setting: where programs are, and code that is compiled already. */
export const inheritedEnv = (): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
});
