/** Checks the own votes beside the page: thousands of hashes would be felt in it. */
import { checkOwnRecord, type OwnRecordTask } from '#record/proof/own-record.ts';
import { failureOf, type WorkerMessage } from './worker-message.ts';

const send = (message: WorkerMessage): void => postMessage(message);

addEventListener('message', (event: MessageEvent<OwnRecordTask>) => {
  checkOwnRecord(event.data, (done) => send({ done })).then(
    (result) => send({ result }),
    (error: unknown) => send({ failure: failureOf(error) }),
  );
});
