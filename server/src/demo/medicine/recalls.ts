import type { CallOf } from '@aisle/contract/kernel/endpoint'
import * as contract from '@aisle/contract/medicine/recall'
import { sql } from 'kysely'
import { HOUR_MS } from '../calendar'
import type { Past } from '../life/within'

/**
 * One that came back whole, and a drill that is under way: of the batches of which least lies in machines. What expires
 * soon is left to the pharmacist's morning.
 */
export async function recallBatches(past: Past): Promise<void> {
  const found = await sql<{ id: number }>`select b.id from medicine_batch b
    join batch_level l on l.product_id = b.product_id and l.batch = b.number and l.quantity > 0
    join place p on p.id = l.place_id and p.kind = 'slot'
    where b.state = 'available' and b.expires_on > ${new Date(past.latestMs)}::date + 180
    group by b.id order by sum(l.quantity), b.id limit 2`.execute(past.tx)
  const [first, second] = found.rows
  if (!first || !second) return
  past.at(past.latestMs - 50 * HOUR_MS)
  const real = { class: 'iii' as const, reason: '生产企业主动召回', isDrill: false }
  const id = await started(past, { batchId: first.id, ...real })
  const { items } = await past.as('deputy', contract.listRecallTargets, { recallId: id, pageSize: 200 })
  for (const { id: target, book } of items) await past.as('deputy', contract.pullTarget, { id: target, pulled: book })
  await past.as('deputy', contract.noteRecall, {
    id,
    kind: 'disposal',
    note: '移交有资质单位销毁，凭证 XH-0427',
    quantity: 0,
  })
  past.at(past.latestMs - 30 * HOUR_MS)
  await past.as('treasurer', contract.closeRecall, { id, summary: '全部撤出并销毁' })
  past.at(past.latestMs - 2 * HOUR_MS)
  await started(past, { batchId: second.id, class: 'i' as const, reason: '季度召回演练', isDrill: true })
  past.at(past.latestMs)
}

async function started({ as, run }: Past, wanted: CallOf<typeof contract.addRecall>): Promise<number> {
  const { id } = await as('admin', contract.addRecall, wanted)
  await as('deputy', contract.startRecall, { id })
  await run('medicine.spreadRecall', { recallId: id })
  return id
}
