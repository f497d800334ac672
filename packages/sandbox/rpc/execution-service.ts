import { GrpcTypes } from '@mysten/sui/grpc';
import { toBase64 } from '@mysten/sui/utils';
import type { Chain } from '../ledger/chain.ts';
import { invalidArgument } from '../ledger/errors.ts';
import { executedMessage } from './executed-message.ts';
import { applyMask } from './field-mask.ts';
import { type MethodTable, unary } from './method.ts';
import { simulate } from './simulation.ts';

const SERVICE = 'sui.rpc.v2.TransactionExecutionService';
const EXECUTE_MASK = ['effects'];
const SIMULATE_MASK = ['*'];

export function executionService(chain: Chain): MethodTable {
  return {
    [`${SERVICE}/ExecuteTransaction`]: unary(
      GrpcTypes.ExecuteTransactionRequest,
      GrpcTypes.ExecuteTransactionResponse,
      async ({ transaction, signatures, readMask }) => {
        const bytes = transaction?.bcs?.value;
        if (!bytes) throw invalidArgument('missing transaction.bcs');
        const record = await chain.submit(bytes, signatures.map(serializedSignature));
        const message = executedMessage(record.execution, record.signatures);
        return { transaction: applyMask(GrpcTypes.ExecutedTransaction, message, readMask, EXECUTE_MASK) };
      },
    ),
    [`${SERVICE}/SimulateTransaction`]: unary(
      GrpcTypes.SimulateTransactionRequest,
      GrpcTypes.SimulateTransactionResponse,
      (request) => {
        const response = GrpcTypes.SimulateTransactionResponse.create({
          transaction: executedMessage(simulate(chain, request), []),
        });
        return applyMask(GrpcTypes.SimulateTransactionResponse, response, request.readMask, SIMULATE_MASK);
      },
    ),
  };
}

function serializedSignature(signature: GrpcTypes.UserSignature): string {
  if (!signature.bcs?.value) throw invalidArgument('invalid signature: missing bcs');
  return toBase64(signature.bcs.value);
}
