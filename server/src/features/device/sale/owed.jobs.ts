import type { Job } from '../../../kernel/jobs'
import { TELL_SETTINGS } from '../../fleet/public'
import { tellSettings } from './owed.commands'

export const jobs: Job[] = [
  {
    // After the commit of whoever set it, by whichever way: form, copy or import.
    name: TELL_SETTINGS,
    run: ({ db, clock }) => db.transaction().execute((tx) => tellSettings(tx, null, clock.now())),
  },
]
