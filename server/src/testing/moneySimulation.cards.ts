import { reverseTopUp } from '@aisle/contract/member/cardTransaction'
import * as verbs from '@aisle/contract/member/cardVerb'
import { sql } from 'kysely'
import type { Desk } from './moneySimulation.people'
import type { World } from './world'

export type SimulatedCard = { id: number; physicalNo: string; merchantId: number; machineIds: number[] }

/** As they are by now: one that stands in the place of another is among them, and so is the other. */
export async function findCards({ services }: World): Promise<SimulatedCard[]> {
  const found = await sql<SimulatedCard>`select k.id, k.physical_no as "physicalNo", k.merchant_id as "merchantId",
      array(select m.id from machine m where m.merchant_id = k.merchant_id) as "machineIds"
    from member_card k order by k.id`.execute(services.db)
  return found.rows
}

/** What becomes of a card at the desk: what fits its state and what does not, sometimes two things at once. */
export async function turnCard({ world, call, random, of }: Desk): Promise<void> {
  const { id } = of(await findCards(world))
  const note = 'the holder says so'
  const hex = (0x40000000 + random(0x3fffffff)).toString(16)
  const replace = () => call(0, verbs.replaceCard, { id, physicalNo: hex, logicalNo: `Z${hex.toUpperCase()}`, note })
  const cancel = () => call(0, verbs.cancelCard, { id, why: of(['issuer', 'holder']), note })
  const payOut = async () => {
    const { body } = await call(0, verbs.previewPayOut, { id })
    const paidFen = Number((body.data as { paidFen?: number } | null)?.paidFen ?? 0)
    const asked = { id, method: paidFen > 10_000 ? 'transfer' : of(['cash', 'transfer']), paidFen, note }
    return Promise.all((random(3) === 0 ? [1, 1] : [1]).map(() => call(1, verbs.payOutCard, asked)))
  }
  const deeds: (() => Promise<unknown>)[] = [
    () => call(0, verbs.lockCard, { id, note }),
    () => call(0, verbs.unlockCard, { id, note }),
    () => call(0, verbs.reportLostCard, { id, note }),
    () => call(0, verbs.recoverCard, { id, note }),
    replace,
    () => cancel().then(payOut),
    () => cancel().then(() => call(0, verbs.keepCard, { id, note })),
    () => Promise.all([replace(), cancel()]),
    () => reverse({ world, call, random, of }),
    () => reverse({ world, call, random, of }),
  ]
  await of(deeds)()
}

/** By another person or, as people try, by the same; of one that is spent in part as far as it goes. */
async function reverse({ world, call, random, of }: Omit<Desk, 'callAs'>): Promise<void> {
  const found = await sql<{ id: number }>`select id from member_card_top_up order by id desc limit 10`.execute(
    world.services.db,
  )
  if (found.rows.length === 0) return
  const asked = { id: of(found.rows).id, reason: 'another card was meant' }
  const by = random(4) === 0 ? ([0, 1] as const) : ([1] as const)
  await Promise.all(by.map((at) => call(at, reverseTopUp, asked)))
}
