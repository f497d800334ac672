import { checkOwnRecord, type OwnRecordTask } from '#record/proof/own-record.ts';
import { failureOf, type WorkerMessage } from './worker-message.ts';

const send = (message: WorkerMessage): void => postMessage(message);

addEventListener('message', (event: MessageEvent<OwnRecordTask>) => {
  checkOwnRecord(event.data, (progress) => send({ progress })).then(
    (result) => send({ result }),
    (error: unknown) => send({ failure: failureOf(error) }),
  );
});
