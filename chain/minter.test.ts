import { GrpcTypes, RpcError } from '@mysten/sui/grpc';
import type { SuiClientTypes } from '@mysten/sui/client';
import { expect, test } from 'vitest';
import { readMinter } from './minter.ts';

const CAP = `0x${'c'.repeat(64)}`;
const HOLDER = `0x${'a'.repeat(64)}`;
const NOBODY = `0x${'0'.repeat(64)}`;
const { FIXED, BURN_ONLY, SUPPLY_STATE_UNKNOWN } = GrpcTypes.CoinTreasury_SupplyState;
const signal = AbortSignal.timeout(60_000);

type Treasury = GrpcTypes.CoinTreasury | undefined;
type Owner = SuiClientTypes.ObjectOwner;

/** A node that responds as the protocol describes each case; the sandbox chain has neither shared nor wrapped objects. */
const nodeWith = (treasury: Treasury | Error, owner: Owner | Error) =>
  ({
    stateService: {
      getCoinInfo: () =>
        treasury instanceof Error
          ? Promise.reject(treasury)
          : Promise.resolve({ response: GrpcTypes.GetCoinInfoResponse.create(treasury ? { treasury } : {}) }),
    },
    core: { getObjects: () => Promise.resolve({ objects: [owner instanceof Error ? owner : { owner }] }) },
  }) as unknown as Parameters<typeof readMinter>[0];

const cap = (supplyState = SUPPLY_STATE_UNKNOWN): Treasury => ({ id: CAP, totalSupply: 5n, supplyState });
const gone = Object.assign(new Error('not found'), { code: 'notExists' });

const CASES: [
  what: string,
  treasury: Treasury | Error,
  owner: Owner | Error,
  wanted: [string, string | null, string | null],
][] = [
  ['held by a wallet', cap(), { $kind: 'AddressOwner', AddressOwner: HOLDER }, ['address', HOLDER, CAP]],
  [
    'held by a wallet through consensus',
    cap(),
    { $kind: 'ConsensusAddressOwner', ConsensusAddressOwner: { owner: HOLDER, startVersion: '1' } },
    ['address', HOLDER, CAP],
  ],
  ['sent to nobody', cap(), { $kind: 'AddressOwner', AddressOwner: NOBODY }, ['burnt', null, CAP]],
  ['frozen', cap(), { $kind: 'Immutable', Immutable: true }, ['burnt', null, CAP]],
  ['of a fixed supply', cap(FIXED), gone, ['burnt', null, CAP]],
  ['of a supply that can only shrink', cap(BURN_ONLY), gone, ['burnt', null, CAP]],
  ['shared', cap(), { $kind: 'Shared', Shared: { initialSharedVersion: '1' } }, ['shared', null, CAP]],
  ['inside an object', cap(), { $kind: 'ObjectOwner', ObjectOwner: HOLDER }, ['wrapped', HOLDER, CAP]],
  ['wrapped', undefined, gone, ['wrapped', null, null]],
  ['destroyed between two reads', cap(), gone, ['wrapped', null, CAP]],
  ['unknown to the node', new RpcError('no coin', 'NOT_FOUND'), gone, ['none', null, null]],
];

test.each(CASES)('a TreasuryCap that is %s has the right holder [R84]', async (_what, treasury, owner, wanted) => {
  const { state, address, treasuryCap } = await readMinter(nodeWith(treasury, owner), '0x5::a::A', signal);
  expect([state, address, treasuryCap]).toEqual(wanted);
});

test('a node that does not respond is an error, not a coin without a minter [R84]', async () => {
  const away = new RpcError('away', 'UNAVAILABLE');
  await expect(readMinter(nodeWith(away, gone), '0x5::a::A', signal)).rejects.toBe(away);
  await expect(readMinter(nodeWith(cap(), away), '0x5::a::A', signal)).rejects.toBe(away);
});
