import { remoteShip } from '@aisle/contract/device/remoteShip'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BuiltMachine } from '../../../testing/builders'
import { addSession, addUser } from '../../../testing/fixtures'
import { openHttp } from '../../../testing/http'
import { routesWith } from '../../../testing/stubs'
import { issueCard, issueCodes } from '../../../testing/tenders'
import { addBatch, openPharmacy, type Pharmacy } from '../../pharmacy/testing'
import { outsidePlaces, recordMoves } from '../../stock/public'
import { routes } from '../command/command.routes'
import { ingest } from '../link/ingest'
import { spoken } from '../testing'

let pharmacy: Pharmacy
let machine: BuiltMachine
let seq = 0

/** A1 is a prescription medicine, A3 OTC B; both slots hold nothing but a batch that expired yesterday. */
beforeAll(async () => {
  pharmacy = await openPharmacy()
  const { db, merchantId } = pharmacy
  machine = await pharmacy.hospital(0)
  await db.transaction().execute(async (tx) => {
    const suppliers = await outsidePlaces(tx, 'supplier', [merchantId])
    for (const { placeId, productId } of machine.slots) {
      await addBatch(pharmacy, { productId, number: 'OLD', expiresOn: '2026-11-19' })
      await recordMoves(tx, [
        {
          merchantId,
          movedAt: pharmacy.world.services.clock.now(),
          productId,
          quantity: 5,
          fromPlaceId: suppliers.get(merchantId) ?? 0,
          toPlaceId: placeId,
          cause: 'fill',
          reference: 'test',
          batch: 'OLD',
        },
      ])
    }
  })
})
afterAll(() => pharmacy.close())

const hear = async (type: string, told: Record<string, unknown>, said: Record<string, unknown> = {}) => {
  seq += 1
  const message = spoken(pharmacy.world, machine.code, seq, type, told, said)
  return (await ingest(pharmacy.world.services, [message])).replies[0]
}
async function ask(order: Record<string, unknown>) {
  const reply = await hear('order.request', {
    orderNo: `E-${seq}`,
    method: 'wechat',
    items: [{ slot: 'A3' }],
    ...order,
  })
  return reply?.answer && 'refused' in reply.answer ? reply.answer.refused : 'quoted'
}

test('an expired batch is sold by no road', async () => {
  const { db, world, merchantId } = pharmacy
  const productId = machine.slots[2]?.productId ?? 0
  // Paid for with money, or with a card.
  expect(await ask({})).toBe('batchNotForSale')
  const { physicalNo } = await issueCard(world, { merchantId })
  expect(await ask({ method: 'member_card', code: physicalNo })).toBe('batchNotForSale')
  // With a code that was paid for elsewhere; it stays good.
  const { codes, batchId } = await issueCodes(world, { merchantId, content: [productId] })
  expect(await ask({ method: 'pickup_code', code: codes[0] })).toBe('batchNotForSale')
  const code = await sql`select state from pickup_code where batch_id = ${batchId}`.execute(db)
  expect(code.rows).toEqual([{ state: 'unused' }])
  // On an approved prescription; it stays good too.
  const { code: prescription } = await pharmacy.approved()
  expect(await ask({ prescription, items: [{ slot: 'A1' }] })).toBe('batchNotForSale')
  // Let out from afar.
  const http = await openHttp(world, routesWith(...routes))
  const user = await addUser(db, { merchantId, grants: ['*'] })
  const token = await addSession(db, user.id, world.services.clock.now())
  const afar = await http.call(remoteShip, { id: machine.id, slot: 'A3', reason: 'Customer waits' }, { token })
  expect(afar.body.code).toBe('remoteShip.batch')
  await http.close()
  // What a machine sold while it was offline is a fact: kept as a wrong sale, with its case.
  const item = { slot: 'A3', product: machine.slots[2]?.productCode, priceFen: 500, ok: true, batch: 'OLD' }
  const sale = { orderNo: 'OFF-1', method: 'cash', paidFen: 500, items: [item] }
  expect((await hear('sale', sale, { offline: true }))?.ack?.state).toBe('processed')
  const kept = await sql`select o.problem, i.wrong, (select count(*)::int from problem_case k
      where k.order_id = o.id and k.state <> 'closed') as cases
    from orders o join order_item i on i.order_id = o.id
    where o.order_no = ${`${machine.code}-OFF-1`}`.execute(db)
  expect(kept.rows).toEqual([{ problem: 'unlawful_sale', wrong: 'batchNotForSale', cases: 1 }])
  // Nothing else came out, and nothing of it waits to.
  const others = await sql`select from orders where machine_id = ${machine.id} and machine_order_no <> 'OFF-1'`.execute(
    db,
  )
  expect(others.rows).toHaveLength(0)
})
