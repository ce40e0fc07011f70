import type { Job } from '../../kernel/jobs'
import { PUSH_AFTER_SERVICE } from '../stock/public'
import { pushAfterService } from './push.commands'

export const jobs: readonly Job[] = [
  {
    name: PUSH_AFTER_SERVICE,
    run: ({ db, clock }, { machineId }) =>
      db.transaction().execute((tx) => pushAfterService(tx, Number(machineId), clock.now())),
  },
]
