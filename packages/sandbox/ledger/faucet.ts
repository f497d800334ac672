import { bcs } from '@mysten/sui/bcs';
import type { Chain, TransactionRecord } from './chain.ts';
import type { CoinObject } from './coins.ts';
import { REFERENCE_GAS_PRICE_MIST, SUI_TYPE } from './constants.ts';
import { treasuryKey } from './genesis.ts';
import { isCoin } from './objects.ts';
import { encodeTransaction, type DecodedTransaction } from './transaction-data.ts';

const FAUCET_AMOUNT_MIST = 200_000_000_000n;

const FAUCET_BUDGET_MIST = 10_000_000n;

/** Pays out SUI from the treasury by real, signed transactions, one after the other. */
export class Faucet {
  readonly #chain: Chain;
  readonly #treasury = treasuryKey();
  #last: Promise<unknown> = Promise.resolve();

  constructor(chain: Chain) {
    this.#chain = chain;
  }

  /** Resolves with the coin that the recipient (a normalized address) now owns, and its transaction. */
  request(recipient: string): Promise<{ coin: CoinObject; record: TransactionRecord }> {
    const next = this.#last.catch(() => undefined).then(() => this.#pay(recipient));
    this.#last = next;
    return next;
  }

  async #pay(recipient: string) {
    const transaction = this.#payment(recipient);
    const { signature } = await this.#treasury.signTransaction(transaction.bytes);
    const record = await this.#chain.submit(transaction.bytes, [signature]);
    const coin = record.execution.changes.find(({ before }) => before === null)?.after;
    if (!coin || !isCoin(coin)) throw new Error('the faucet is empty');
    return { coin, record };
  }

  #payment(recipient: string): DecodedTransaction {
    const sender = this.#treasury.toSuiAddress();
    const [gas] = this.#chain.objects.coinsOf(sender, SUI_TYPE);
    if (!gas) throw new Error('the faucet is empty');
    return encodeTransaction({
      kind: {
        ProgrammableTransaction: {
          inputs: [
            { Pure: { bytes: bcs.u64().serialize(FAUCET_AMOUNT_MIST).toBytes() } },
            { Pure: { bytes: bcs.Address.serialize(recipient).toBytes() } },
          ],
          commands: [
            { SplitCoins: { coin: { GasCoin: true }, amounts: [{ Input: 0 }] } },
            { TransferObjects: { objects: [{ NestedResult: [0, 0] }], address: { Input: 1 } } },
          ],
        },
      },
      sender,
      gasData: {
        payment: [{ objectId: gas.id, version: gas.version, digest: gas.digest }],
        owner: sender,
        price: REFERENCE_GAS_PRICE_MIST,
        budget: FAUCET_BUDGET_MIST,
      },
      expiration: { None: true },
    });
  }
}
