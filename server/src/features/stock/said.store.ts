import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Tx } from '../../kernel/context'
import { type Said, type Witness, newlySaid } from './said.rules'

type Named = { serviceId: number; placeId: number; productId: number; witness: Witness; quantity: number }
const keyOf = ({ serviceId, placeId, productId }: Omit<Named, 'witness' | 'quantity'>) =>
  `${serviceId}/${placeId}/${productId}`

/**
 * How much of each fill is new: a machine and the phone of who fills it both tell of the same pieces. What was filled
 * outside of a service nobody else tells of.
 * @returns the pieces to book, in the order of the list
 */
export async function takeSaid(tx: Tx, fills: readonly (Omit<Named, 'serviceId'> & { serviceId: number | null })[]) {
  const served = fills.flatMap((fill) => (fill.serviceId === null ? [] : [{ ...fill, serviceId: fill.serviceId }]))
  if (served.length === 0) return fills.map(({ quantity }) => quantity)
  const said = await hold(tx, served)
  const fresh = fills.map(({ serviceId, ...fill }) => {
    const sums = serviceId === null ? undefined : said.get(keyOf({ ...fill, serviceId }))
    return sums ? newlySaid(sums, fill.witness, fill.quantity) : fill.quantity
  })
  const after = [...said].map(([key, sums]) => {
    const [serviceId, placeId, productId] = key.split('/').map(Number)
    return { serviceId, placeId, productId, ...sums }
  })
  await sql`update fill_said s set by_machine = w.machine, by_phone = w.phone
    from ${rows('w', after, {
      serviceId: 'bigint',
      placeId: 'bigint',
      productId: 'bigint',
      machine: 'int',
      phone: 'int',
    })}
    where s.service_id = w.service_id and s.place_id = w.place_id and s.product_id = w.product_id`.execute(tx)
  return fresh
}

async function hold(tx: Tx, served: readonly Omit<Named, 'witness' | 'quantity'>[]): Promise<Map<string, Said>> {
  const given = rows('w', served, { serviceId: 'bigint', placeId: 'bigint', productId: 'bigint' })
  await sql`insert into fill_said (service_id, place_id, product_id)
    select distinct w.service_id, w.place_id, w.product_id from ${given} order by 1, 2, 3
    on conflict do nothing`.execute(tx)
  const found = await sql<Omit<Named, 'witness' | 'quantity'> & Said>`
    select service_id as "serviceId", place_id as "placeId", product_id as "productId", by_machine as machine,
      by_phone as phone
    from fill_said
    where (service_id, place_id, product_id) in (select w.service_id, w.place_id, w.product_id from ${given})
    order by service_id, place_id, product_id for update`.execute(tx)
  return new Map(found.rows.map(({ machine, phone, ...of }) => [keyOf(of), { machine, phone }]))
}
