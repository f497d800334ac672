/** Apart, so that the first JavaScript does not name all files of the wallet. */
export const loadWalletModule = () => import('./wallet-module.ts');
