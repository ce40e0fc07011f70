import { getRun, listRuns, summariseRuns } from '@aisle/contract/settlement/run'

/** Read again after whatever changes a run. */
export const shownRuns = [listRuns, getRun, summariseRuns] as const
