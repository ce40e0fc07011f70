import { sql } from 'kysely'
import type { Services } from '../../../kernel/context'
import { findMachines, refused, withBooks } from '../../trade/public'
import { takeCommandAnswers } from '../command/answer.steps'
import type { Dispatch } from '../command/command.store'
import { countHeard, takeEvents, takeFillings } from '../record/event.steps'
import { takeReports } from '../record/report.steps'
import {
  openDueRefunds,
  sendPaid,
  takeOrderRequests,
  takeReaderPayments,
  takeReportedSales,
  takeShipReceipts,
  takeShipResults,
  takeTraceCodes,
} from '../sale/order.steps'
import { answerPrescriptions, countGuesses } from '../sale/prescription.answers'
import { takeRemoteShips } from '../sale/remoteShip.results'
import { answerCards, answerCodes } from '../sale/tender.answers'
import type { Batch, Reply, Step } from './batch'
import { correctedTime } from './clock.rules'
import type { Incoming } from './decode'
import { identify } from './identify'
import { settle } from './settle'
import { takeStates } from './states'
import { watch } from './watch'

export type Ingested = { replies: Reply[]; dispatches: Dispatch[] }

/** An order's own messages are worked in the order in which they make sense, whatever the order in which they came. */
const steps: readonly Step[] = [
  identify,
  // Machines that guess wait for themselves here, where nobody holds anything yet that others wait for.
  answerCodes,
  answerCards,
  countGuesses,
  takeReportedSales,
  takeOrderRequests,
  // After the orders of the batch, so that nobody is told of packs that one of them has just taken.
  answerPrescriptions,
  takeReaderPayments,
  sendPaid,
  // Before the orders' own receipts and results, which have the same types: those are refused what they do not know.
  takeRemoteShips,
  takeShipReceipts,
  takeShipResults,
  // All that an order can say of itself has been said.
  openDueRefunds,
  takeCommandAnswers,
  takeFillings,
  takeReports,
  // Once, of all that was filled in and sold: the order of its locks is that of the codes.
  takeTraceCodes,
  // What nothing above has wanted is kept as it is.
  takeEvents,
  takeStates,
  countHeard,
  // By what was taken, and so after all that takes.
  watch,
  settle,
]

/** A process that is stopped in the middle holds what all others wait for; the database then undoes it, and goes on. */
const STANDS_STILL_MS = 2_000

/**
 * The one way machines' messages become facts: a batch in one transaction, each step a few set-based statements.
 * Only after its commit may anything be acknowledged. A message that is refused changes nothing and is noted where an
 * administrator sees it; the rest of its batch is taken.
 */
export function ingest(services: Services, messages: readonly Incoming[]): Promise<Ingested> {
  return services.db.transaction().execute(async (tx) => {
    await sql`select set_config('idle_in_transaction_session_timeout', ${String(STANDS_STILL_MS)}, true)`.execute(tx)
    const machines = await findMachines(
      tx,
      messages.map((message) => message.machineCode),
    )
    const batch = batchOf(services, messages, machines)
    await withBooks(tx, batch.now, async (books) => {
      for (const step of steps) await step(tx, batch, books)
    })
    return { replies: batch.replies, dispatches: batch.dispatches }
  })
}

type Machines = Awaited<ReturnType<typeof findMachines>>

function batchOf({ keys, clock }: Services, messages: readonly Incoming[], machines: Machines): Batch {
  const work = messages.flatMap((message): Batch['work'] => {
    const machine = machines.get(message.machineCode)
    // Signed in and deleted since: nobody to keep anything for.
    if (!machine) return []
    const time = correctedTime(message.envelope, message.receivedAt)
    const known = { machine, message, ack: null }
    if (time) return [{ ...known, occurredAt: time.at, skewMs: time.skewMs, outcome: null }]
    return [{ ...known, occurredAt: message.receivedAt, skewMs: 0, outcome: refused('clockImpossible') }]
  })
  const now = messages[0]?.receivedAt ?? clock.now()
  return {
    work,
    keys,
    now,
    replies: [],
    guessing: new Set(),
    toShip: [],
    filled: [],
    dispatches: [],
    ended: [],
    wrong: [],
    traced: [],
    loads: [],
  }
}
