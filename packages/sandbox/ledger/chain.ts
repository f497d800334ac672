import { fromBase64, toBase64 } from '@mysten/sui/utils';
import { AddressBalances } from './address-balances.ts';
import { DEFAULT_SCAN_LIMIT, EPOCH_DURATION_MS, FIRST_EPOCH } from './constants.ts';
import { invalidArgument, TransactionRejected } from './errors.ts';
import { type Execution, executeTransaction } from './execute.ts';
import { ADMIN_NAME, adminKey, genesisCoins, newChainId } from './genesis.ts';
import { NameRegistry } from './names.ts';
import { ObjectStore } from './object-store.ts';
import { PackageStore } from './packages.ts';
import { checkSignatures } from './signatures.ts';
import { decodeTransaction, type DecodedTransaction } from './transaction-data.ts';
import { type LogEntry, TransactionLog } from './transaction-log.ts';
import { type ChainMoment, checkValidity } from './validity.ts';

export interface TransactionRecord {
  readonly execution: Execution;
  readonly signatures: readonly string[];
  readonly checkpoint: bigint;
  readonly timestampMs: number;
  /** The delay in force when it was executed; 0 for transactions that a restart has read back. */
  readonly indexDelayMs: number;
}

/** unknown: hidden · executed: without balance changes. */
type IndexState = 'unknown' | 'executed' | 'indexed';

/**
 * The chain: coins, transactions and names. Every change is in the log before any client learns of it, and a chain
 * reopened on that log is identical in every byte.
 */
export class Chain {
  readonly chainId: string;
  readonly startedAtMs: number;
  readonly objects = new ObjectStore();
  readonly packages = new PackageStore();
  readonly addressBalances = new AddressBalances();
  readonly names = new NameRegistry();
  /** Reads hide a new transaction for that long, and for as long again show it without its balance changes. */
  indexDelayMs = 0;
  /** The first checkpoint whose transactions a pruning node would still have. */
  lowestCheckpoint = 0n;
  scanLimit = DEFAULT_SCAN_LIMIT;
  /** See LoadOptions. Refused at submission, so that a restart does not depend on it. */
  denied: ReadonlySet<string> = new Set();
  readonly #log: TransactionLog;
  readonly #records = new Map<string, TransactionRecord>();
  /** The same records in order: checkpoint n is at n - 1. */
  readonly #history: TransactionRecord[] = [];
  /** From the newest of these on, each epoch lasts a day. */
  readonly #epochs: Array<{ epoch: bigint; startMs: number }>;
  #lastTimestampMs: number;

  private constructor(log: TransactionLog, genesis: LogEntry & { kind: 'genesis' }) {
    this.#log = log;
    this.chainId = genesis.chainId;
    this.startedAtMs = genesis.atMs;
    this.#epochs = [{ epoch: FIRST_EPOCH, startMs: genesis.atMs }];
    this.#lastTimestampMs = genesis.atMs;
    for (const coin of genesisCoins(genesis.chainId)) this.objects.put(coin);
    this.names.set(ADMIN_NAME, adminKey().toSuiAddress());
  }

  /** Opens the chain in the folder, or creates one; without a folder, one that lives as long as the process. */
  static open(dir?: string): Chain {
    const { log, entries } = TransactionLog.open(dir);
    try {
      return Chain.#fromLog(log, entries);
    } catch (error) {
      log.close();
      throw error;
    }
  }

  static #fromLog(log: TransactionLog, entries: readonly LogEntry[]): Chain {
    const [first, ...rest] = entries;
    if (!first) {
      const genesis = { kind: 'genesis', format: 1, chainId: newChainId(), atMs: Date.now() } as const;
      log.append(genesis);
      return new Chain(log, genesis);
    }
    if (first.kind !== 'genesis') throw new Error(`${log.file}:1 does not begin a sandbox chain`);
    const chain = new Chain(log, first);
    for (const [index, entry] of rest.entries()) chain.#replay(entry, `${log.file}:${index + 2}`);
    return chain;
  }

  close(): void {
    this.#log.close();
  }

  get checkpoint(): bigint {
    return BigInt(this.#records.size);
  }

  moment(nowMs = Date.now()): ChainMoment {
    return { chainId: this.chainId, epoch: this.epochAt(nowMs), nowMs, packages: this.packages };
  }

  epochAt(nowMs: number): bigint {
    const { epoch, startMs } = this.#epochs.findLast((one) => one.startMs <= nowMs) ?? this.#firstEpoch;
    return epoch + BigInt(Math.max(0, Math.floor((nowMs - startMs) / EPOCH_DURATION_MS)));
  }

  epochStartMs(epoch: bigint): number {
    const last = this.#epochs.findLast((one) => one.epoch <= epoch) ?? this.#firstEpoch;
    return last.startMs + Number(epoch - last.epoch) * EPOCH_DURATION_MS;
  }

  get #firstEpoch() {
    return { epoch: FIRST_EPOCH, startMs: this.startedAtMs };
  }

  /** Ends the present epoch, as a day would. */
  endEpoch(): void {
    const atMs = Math.max(Date.now(), this.#lastTimestampMs + 1);
    this.#log.append({ kind: 'epoch', atMs });
    this.#beginEpoch(atMs);
  }

  #beginEpoch(startMs: number): void {
    this.#epochs.push({ epoch: this.epochAt(startMs) + 1n, startMs });
    this.#lastTimestampMs = startMs;
  }

  /** Throws INVALID_ARGUMENT for bad bytes, bad signatures and transactions that may not run. */
  async submit(bytes: Uint8Array, signatures: readonly string[]): Promise<TransactionRecord> {
    const transaction = decodeTransaction(bytes);
    await checkSignatures(transaction, signatures);
    // Nothing is awaited from here to the commit: two submissions can never see the same coin unspent.
    const known = this.#records.get(transaction.digest);
    if (known) return known;
    const atMs = Math.max(Date.now(), this.#lastTimestampMs);
    const execution = this.#executeForSubmission(transaction, atMs);
    this.#log.append({
      kind: 'transaction',
      atMs,
      digest: transaction.digest,
      bytes: toBase64(transaction.bytes),
      signatures,
    });
    return this.#commit(execution, signatures, atMs, this.indexDelayMs);
  }

  setName(name: string, address: string): void {
    this.#log.append({ kind: 'name', name, address });
    this.names.set(name, address);
  }

  /** The single transaction of a checkpoint; none for the genesis checkpoint, 0. */
  at(checkpoint: bigint): TransactionRecord | undefined {
    return this.#history[Number(checkpoint) - 1];
  }

  get indexedCheckpoint(): bigint {
    const waiting = this.#history.findIndex((record) => this.indexState(record) !== 'indexed');
    return waiting === -1 ? this.checkpoint : BigInt(waiting);
  }

  firstCheckpointOf(epoch: bigint): bigint {
    const first = this.#history.find(({ execution }) => execution.epoch >= epoch);
    return epoch === FIRST_EPOCH ? 0n : (first?.checkpoint ?? this.checkpoint + 1n);
  }

  find(digest: string): TransactionRecord | undefined {
    return this.#records.get(digest);
  }

  /** Lowering the delay also releases transactions that are still waiting. */
  indexState(record: TransactionRecord): IndexState {
    const delayMs = Math.min(record.indexDelayMs, this.indexDelayMs);
    if (delayMs === 0) return 'indexed';
    const ageMs = Date.now() - record.timestampMs;
    if (ageMs < delayMs) return 'unknown';
    return ageMs < 2 * delayMs ? 'executed' : 'indexed';
  }

  #executeForSubmission(transaction: DecodedTransaction, atMs: number): Execution {
    try {
      checkValidity(transaction, this.moment(atMs));
      const execution = this.#execute(transaction, atMs, this.denied);
      if (execution.failure && 'AddressDeniedForCoin' in execution.failure.status)
        throw new TransactionRejected(execution.failure.message);
      return execution;
    } catch (error) {
      if (!(error instanceof TransactionRejected)) throw error;
      throw invalidArgument(
        `Transaction is rejected as invalid by more than 1/3 of validators by stake (non-retriable). Non-retriable errors: [${error.message} with 10000 stake].`,
      );
    }
  }

  #execute(transaction: DecodedTransaction, atMs: number, denied: ReadonlySet<string> = new Set()): Execution {
    return executeTransaction(this, transaction, {
      epoch: this.epochAt(atMs),
      mockGas: false,
      checkOwners: true,
      denied,
    });
  }

  #commit(execution: Execution, signatures: readonly string[], timestampMs: number, indexDelayMs: number) {
    this.objects.apply(execution.changes);
    for (const published of execution.packages) this.packages.add(published);
    for (const change of execution.funds) this.addressBalances.apply(change);
    this.#lastTimestampMs = timestampMs;
    const record = { execution, signatures, timestampMs, indexDelayMs, checkpoint: this.checkpoint + 1n };
    this.#records.set(execution.transaction.digest, record);
    this.#history.push(record);
    return record;
  }

  /** Everything in the log was verified when it was written, so signatures are not checked again. */
  #replay(entry: LogEntry, where: string): void {
    if (entry.kind === 'genesis') throw new Error(`${where} begins a second chain`);
    if (entry.kind === 'name') return this.names.set(entry.name, entry.address);
    if (entry.kind === 'epoch') return this.#beginEpoch(entry.atMs);
    try {
      const transaction = decodeTransaction(fromBase64(entry.bytes));
      if (transaction.digest !== entry.digest) throw new Error(`its bytes have the digest ${transaction.digest}`);
      const execution = this.#execute(transaction, entry.atMs);
      this.#commit(execution, entry.signatures, entry.atMs, 0);
    } catch (error) {
      throw new Error(
        `${where} does not follow from the lines before it; move the folder away to begin with a new chain`,
        {
          cause: error,
        },
      );
    }
  }
}
