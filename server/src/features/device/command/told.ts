import { commandState } from '@aisle/contract/device/commands'
import { sql } from 'kysely'
import { statesIn, stateTo } from '../../../kernel/states'

/**
 * Of lists that machines are told as a whole, of which each has a version: conditions on `c`, the command that told
 * the newest one, or null where it is forgotten. What a machine refuses it cannot take, and it is not told again.
 */
export const isTaken = sql<boolean>`'done' in (c.state, c.late_state)`
export const cameToNothing = sql<boolean>`(c.id is null
  or (c.state in ${statesIn(commandState, 'ended')} and c.state <> ${stateTo(commandState, 'refuse')}))`

/** The machine knows a newer list than there is here, as after a backup came back (docs/DEVICES.md, Adverts). */
export const knowsNewer = sql<boolean>`(c.state = ${stateTo(commandState, 'refuse')} and c.detail = 'outdated')`

/** By the clock, and so above whatever a database that is lost had come to by counting. */
export const versionOfMinute = (now: Date): number => Math.floor(now.getTime() / 60_000)
