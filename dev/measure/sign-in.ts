import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';

/**
 * Signs a new wallet in at a running server, as the page does, and returns the session's cookie ('name=value').
 * @throws Error when the server does not start a session.
 */
export async function signInNewWallet(origin: string): Promise<string> {
  const keypair = new Ed25519Keypair();
  const walletAddress = keypair.toSuiAddress();
  const send = (body: object): Promise<Response> =>
    fetch(`${origin}/api/auth/wallet`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const asked = await send({ walletAddress });
  const { challenge } = (await asked.json()) as { challenge: { nonce: string; message: string } };
  const { signature } = await keypair.signPersonalMessage(new TextEncoder().encode(challenge.message));
  const response = await send({ walletAddress, nonce: challenge.nonce, signature });
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0];
  if (!response.ok || cookie === undefined) throw new Error(`Signing in answered ${response.status}.`);
  return cookie;
}
