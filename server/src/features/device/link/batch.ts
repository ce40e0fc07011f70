import type { Ack, Answer, MessageData } from '@aisle/contract/device/messages'
import type { AuthKeys, Tx } from '../../../kernel/context'
import { must } from '../../../kernel/must'
import type { FilledFault, LoadedTraces } from '../../medicine/public'
import type {
  Books,
  MachineRef,
  Outcome,
  Outcomes,
  Reported,
  ToShip,
  TracedPiece,
  WrongPiece,
} from '../../trade/public'
import type { Dispatch } from '../command/command.store'
import { isInDoubt } from './clock.rules'
import type { Incoming } from './decode'

export type Reply = { machineCode: string; ack?: Ack; answer?: Answer }

/** A message of a known machine, with its corrected time; the step that is through with it fills in what came of it. */
export type Work = {
  machine: MachineRef
  message: Incoming
  occurredAt: Date
  skewMs: number
  outcome: Outcome | null
  ack: Ack | null
}

/** Messages that are worked through together, and what comes of them on the way. */
export type Batch = {
  work: readonly Work[]
  keys: AuthKeys
  /** When the first of them was heard. */
  now: Date
  replies: Reply[]
  /** Of machines that have guessed prescriptions too often: nothing is looked at for them. */
  guessing: Set<Work>
  /** Orders that have been paid. */
  toShip: ToShip[]
  dispatches: Dispatch[]
  /** Orders that ended, or changed after their end: something may be due back for them. */
  ended: number[]
  /** Pieces that should not have been sold. */
  wrong: WrongPiece[]
  /** Pieces that came out with a code of their own. */
  traced: TracedPiece[]
  /** How slots of medicine stand that fillers have been at. */
  filled: FilledFault[]
  /** What fillers put in by its codes. */
  loads: LoadedTraces[]
}

export type Step = (tx: Tx, batch: Batch, books: Books) => Promise<void>

type Types = {
  [T in
    | 'sale'
    | 'order.request'
    | 'rx.check'
    | 'pickup.check'
    | 'card.check'
    | 'pay.result'
    | 'vend.received'
    | 'vend.result'
    | 'cmd.ack'
    | 'stock.delta']: MessageData<T>
}

/** What a machine reports, under the id of its message. */
export type Heard<T extends keyof Types> = Reported<Types[T]> & { msgId: string; isInDoubt: boolean; work: Work }

const isOpen = ({ outcome, ack }: Work): boolean => outcome === null && ack === null

/** What no step is through with yet. */
export const openOf = ({ work }: Pick<Batch, 'work'>): Work[] => work.filter(isOpen)

/** And of one type. */
export const heardOf = <T extends keyof Types>({ work }: Pick<Batch, 'work'>, type: T): Heard<T>[] =>
  work
    .filter((each) => each.message.type === type && isOpen(each))
    .map((each) => ({
      work: each,
      msgId: each.message.envelope.msgId,
      machine: each.machine,
      occurredAt: each.occurredAt,
      receivedAt: each.message.receivedAt,
      isOffline: each.message.envelope.offline,
      isInDoubt: isInDoubt(each.message.envelope, each.message.receivedAt),
      data: each.message.data as Types[T],
    }))

export function assign<R>(reports: readonly (R & { work: Work })[], outcomes: Outcomes<R>): void {
  for (const report of reports) report.work.outcome = must(outcomes.get(report), 'outcome')
}

/** Neither refused nor known from before. */
export const isTaken = ({ outcome, ack }: Work): boolean => ack === null && outcome?.ok !== false
