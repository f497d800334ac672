/**
 * Ways to a wallet on a phone (R77). A phone's browser has no extensions: a wallet exists only in the browser that wallet apps have
 * within them. Everywhere else a link opens this page in Slush.
 */
import type { SuiNetwork } from '#shared/constants.ts';

interface Device {
  userAgent: string;
  maxTouchPoints: number;
}

/** Tablets included; those of Apple call themselves computers. */
export const isPhone = ({ userAgent, maxTouchPoints }: Device): boolean =>
  /Android|iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1);

const SLUSH_BROWSE = 'https://my.slush.app/browse/';

/**
 * Opens a page in the Slush app, or on Slush's website where the app is not installed. A query is escaped, because it would otherwise
 * belong to Slush's own address; a fragment is left out.
 */
export function slushLink(page: string): string {
  const { origin, pathname, search } = new URL(page);
  return `${SLUSH_BROWSE}${origin}${pathname}${encodeURIComponent(search)}`;
}

/** The identifier under which Slush on the web registers itself. Every other wallet is installed. */
export const SLUSH_WEB_ID = 'com.mystenlabs.suiwallet.web';

export interface Choices<W> {
  /** Comes first; null where another choice does. */
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
}

/** The choices of the dialog: on a phone installed wallets, else the page in Slush; then the web wallet. */
export function choicesOf<W>({ wallets, idOf, canSignIn, device, network, page }: Asked<W>): Choices<W> {
  if (!isPhone(device)) return { slushLink: null, wallets: [...wallets] };
  const isInstalled = (wallet: W) => canSignIn(wallet) && idOf(wallet) !== SLUSH_WEB_ID;
  const installed = wallets.filter(isInstalled);
  const others = wallets.filter((wallet) => !isInstalled(wallet));
  // A chain on the operator's own machine is out of Slush's reach.
  const hasLink = installed.length === 0 && network !== 'localnet';
  return { slushLink: hasLink ? slushLink(page) : null, wallets: [...installed, ...others] };
}
