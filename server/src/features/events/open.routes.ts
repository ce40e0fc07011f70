import { eventsQuery } from '@aisle/contract/events/open'
import type { RawRoute } from '../../kernel/rawRoute'
import { refuse } from '../../kernel/refuse'
import { countUse } from '../merchant/public'
import { eventsAfter, horizon, newestNumber, numberNoted } from './log.store'
import { queryOf, signed } from './openCall'

/** Reading what happened; described, with a program that runs, in docs/PARTNERS.md. */
export const rawRoutes: readonly RawRoute[] = [
  {
    method: 'GET',
    path: '/open/v1/events',
    run: signed(['event_feed'], async (services, caller, call) => {
      const { db, keys, clock } = services
      const { after, limit, types } = queryOf(eventsQuery, call)
      const kept = await horizon(db)
      if (after && after < kept) refuse('events.gone')
      await db.transaction().execute((tx) => countUse(tx, keys, caller.id, clock.now()))
      // What was committed before this call is in its answer, also where no process is telling.
      await numberNoted(services)
      const from = Math.max(after ?? 0, kept)
      const newest = await newestNumber(db)
      const events = await eventsAfter(db, caller, { after: from, limit, types })
      const last = events.at(-1)?.number
      const isMore = events.length === limit
      // Past what is not this caller's: the next call reads on from there.
      const next = isMore && last !== undefined ? last : Math.max(from, newest, last ?? 0)
      return { events: events.map(({ number: _, ...event }) => event), next, isMore }
    }),
  },
]
