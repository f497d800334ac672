/** A phone's browser has no extensions: a wallet exists only in the browser inside a wallet app. A link opens this page in Slush (R77). */
import type { SuiNetwork } from '#shared/constants.ts';

interface Device {
  userAgent: string;
  maxTouchPoints: number;
}

/** Tablets included; those of Apple call themselves computers. */
export const isPhone = ({ userAgent, maxTouchPoints }: Device): boolean =>
  /Android|iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1);

const SLUSH_BROWSE = 'https://my.slush.app/browse/';

/** Slush's website opens where the app is not installed. Query and fragment are escaped, because they would otherwise belong to Slush's address. */
export function slushLink(page: string, fragment = ''): string {
  const { origin, pathname, search } = new URL(page);
  return `${SLUSH_BROWSE}${origin}${pathname}${encodeURIComponent(search + fragment)}`;
}

/** The identifier under which Slush on the web registers itself. Every other wallet is installed. */
export const SLUSH_WEB_ID = 'com.mystenlabs.suiwallet.web';

export interface Choices<W> {
  slushLink: string | null;
  wallets: W[];
}

interface Asked<W> {
  wallets: readonly W[];
  idOf: (wallet: W) => string;
  canSignIn: (wallet: W) => boolean;
  device: Device;
  network: SuiNetwork;
  page: string;
  /** The visitor's votes (R76), for the page in Slush. */
  fragment?: string;
}

export function choicesOf<W>({ wallets, idOf, canSignIn, device, network, page, fragment }: Asked<W>): Choices<W> {
  if (!isPhone(device)) return { slushLink: null, wallets: [...wallets] };
  const isInstalled = (wallet: W) => canSignIn(wallet) && idOf(wallet) !== SLUSH_WEB_ID;
  const installed = wallets.filter(isInstalled);
  const others = wallets.filter((wallet) => !isInstalled(wallet));
  // A chain on the operator's own machine is out of Slush's reach.
  const hasLink = installed.length === 0 && network !== 'localnet';
  return { slushLink: hasLink ? slushLink(page, fragment) : null, wallets: [...installed, ...others] };
}
