/**
 * `npm run coin -- --name … --symbol … --supply …` prints the unsigned transaction that makes the coin of Snaps;
 * `npm run coin -- --bytes … --signature …` checks and sends it (R83). It never asks for a private key.
 */
import { openDatabase } from '#db/client.ts';
import { createSuiClient } from '#chain/client.ts';
import { TransactionDataBuilder } from '@mysten/sui/transactions';
import { readOptions } from '#ops/process/options.ts';
import { loadDotEnv, printFailure } from '#ops/process/report.ts';
import { type CoinServices, draftCoin, publishCoin, readCoinState } from '#server/money/coin/actions.ts';
import { readConfig } from '#server/kit/config.ts';
import { readChainId } from '#server/kit/chain-id.ts';
import { NEVER_TRIED } from '#shared/coin-rules.ts';
import { formatSui, parseMist } from '#shared/money.ts';

const USAGE =
  'npm run coin -- --name <name> --symbol <symbol> --supply <Snaps>, then --bytes <bytes> --signature <signature>';
const { values } = readOptions(USAGE, {
  name: { type: 'string', says: 'name of the coin, such as Reef Snaps' },
  symbol: { type: 'string', says: 'its symbol, such as REEF' },
  supply: { type: 'string', says: 'the first supply, in whole Snaps' },
  bytes: { type: 'string', says: 'the printed bytes, signed' },
  signature: { type: 'string', says: 'the signature of the admin wallet over them, in base64' },
  replaces: { type: 'string', says: 'digest of a coin that was made and is not used' },
});

async function printUnsigned(services: CoinServices): Promise<void> {
  const { name = '', symbol = '', supply = '' } = values;
  const terms = { name, symbol, decimals: services.config.snapsDecimals, firstSupply: Number(supply) };
  const { bytes, sender, gasMist } = await draftCoin(services, terms);
  const base64 = Buffer.from(bytes).toString('base64');
  console.log(
    [
      `The dry run passed: ${symbol} with ${terms.decimals} decimals and ${terms.firstSupply.toLocaleString()} Snaps at first, for ${formatSui(parseMist(gasMist))} SUI of gas.`,
      `Its right to mint and its first supply go to ${sender}.`,
      `Digest: ${TransactionDataBuilder.getDigestFromBytes(bytes)}`,
      '',
      'Never tried on a real node:',
      ...NEVER_TRIED.map((text) => `- ${text}`),
      '',
      `Sign with that wallet, for example: sui keytool sign --address ${sender} --data ${base64}`,
      'Then: npm run coin -- --bytes <the same bytes> --signature <suiSignature>',
    ].join('\n'),
  );
}

async function send(services: CoinServices, bytes: string, signature: string): Promise<void> {
  const who = { actor: services.config.adminWallet, ip: null };
  const { state, coinType, digest, note } = await publishCoin(services, who, {
    bytes,
    signature,
    replaces: values.replaces ?? null,
  });
  if (coinType !== null) return console.log(`The coin is on the chain. Put into .env:\n\nSNAPS_COIN_TYPE=${coinType}`);
  if (state === 'failed') throw new Error(note ?? 'Nothing was made');
  console.log(`The chain has not answered yet. Run the same again, or look at the tab Coin later. Digest: ${digest}`);
}

let close = async (): Promise<void> => undefined;
try {
  loadDotEnv();
  const config = readConfig();
  const { bytes, signature } = values;
  if ((bytes === undefined) !== (signature === undefined)) throw new Error('Give --bytes and --signature together');
  const database = openDatabase(config.databaseDirectUrl, { maxConnections: 1, applicationName: 'snapswipe-coin' });
  close = database.close;
  const sui = createSuiClient({ network: config.network, url: config.rpcUrl });
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const chainId = await readChainId(sui, config.network);
  const services: CoinServices = { config, db: database.db, sui, chainId, log };
  const { publication } = await readCoinState(services);
  if (publication?.coinType && values.replaces === undefined)
    console.log(`! A coin was made already: ${publication.coinType} (digest ${publication.digest}).`);
  if (bytes === undefined || signature === undefined) await printUnsigned(services);
  else await send(services, bytes.trim(), signature.trim());
} catch (error) {
  printFailure(error);
  process.exitCode = 1;
} finally {
  await close();
}
