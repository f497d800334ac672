/**
 * `npm run coin -- --name … --symbol … --supply …` prints the unsigned transaction that makes the coin of Snaps and its
 * Book; `npm run coin -- book | payers … | owner …` those for the Book alone; `npm run coin -- --bytes … --signature …`
 * checks and sends one (R83, R97). It never asks for a private key.
 */
import { createSuiClient } from '#chain/client.ts';
import { readOptions } from '#ops/process/options.ts';
import { loadDotEnv, printFailure } from '#ops/process/report.ts';
import { type Asked, printUnsigned, sendSigned } from '#server/money/coin/command.ts';
import { readConfig } from '#server/kit/config.ts';
import { readChainId } from '#server/chain/chain-id.ts';

const USAGE =
  'npm run coin -- --name <name> --symbol <symbol> --supply <Snaps> | book | payers <addresses> | owner <address>, then --bytes <bytes> --signature <signature>';
const MOST_WORDS = 100;
const { values, positionals } = readOptions(
  USAGE,
  {
    name: { type: 'string', says: 'name of the coin, such as Reef Snaps' },
    symbol: { type: 'string', says: 'its symbol, such as REEF' },
    supply: { type: 'string', says: 'the first supply, in whole Snaps' },
    bytes: { type: 'string', says: 'the printed bytes, signed' },
    signature: { type: 'string', says: 'the signature of the admin wallet over them, in base64' },
  },
  process.argv.slice(2),
  MOST_WORDS,
);

function readAsked(): Asked {
  const [word, ...rest] = positionals;
  if (word === undefined) {
    const { name = '', symbol = '', supply = '' } = values;
    return { coin: { name, symbol, firstSupply: Number(supply) } };
  }
  if (word === 'book' && rest.length === 0) return { book: true };
  if (word === 'payers' && rest.length > 0) return { payers: rest };
  const [owner, ...more] = rest;
  if (word === 'owner' && owner !== undefined && more.length === 0) return { owner };
  throw new Error(USAGE);
}

try {
  loadDotEnv();
  const config = readConfig();
  const { bytes, signature } = values;
  if ((bytes === undefined) !== (signature === undefined)) throw new Error('Give --bytes and --signature together');
  const sui = createSuiClient({ network: config.network, url: config.rpcUrl });
  await readChainId(sui, config.network);
  const services = { config, sui };
  const lines =
    bytes === undefined || signature === undefined
      ? await printUnsigned(services, readAsked())
      : await sendSigned(services, bytes.trim(), signature.trim());
  console.log(lines.join('\n'));
} catch (error) {
  printFailure(error);
  process.exitCode = 1;
}
