import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Tx } from '../../kernel/context'
import { type Said, type Witness, newlySaid } from './said.rules'

type Direction = 'in' | 'out'
type Named = { serviceId: number; placeId: number; productId: number; witness: Witness; quantity: number }
const keyOf = ({ serviceId, placeId, productId }: Omit<Named, 'witness' | 'quantity'>) =>
  `${serviceId}/${placeId}/${productId}`

/**
 * How much of what was put in or taken out is new: a machine and the phone of who fills it both tell of the same
 * pieces. Of what was done outside of a service nobody else tells.
 * @returns the pieces to book, in the order of the list
 */
export async function takeSaid(
  tx: Tx,
  direction: Direction,
  told: readonly (Omit<Named, 'serviceId'> & { serviceId: number | null })[],
): Promise<number[]> {
  const served = told.flatMap((each) => (each.serviceId === null ? [] : [{ ...each, serviceId: each.serviceId }]))
  if (served.length === 0) return told.map(({ quantity }) => quantity)
  const said = await hold(tx, direction, served)
  const fresh = told.map(({ serviceId, ...each }) => {
    const sums = serviceId === null ? undefined : said.get(keyOf({ ...each, serviceId }))
    return sums ? newlySaid(sums, each.witness, each.quantity) : each.quantity
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
    where s.service_id = w.service_id and s.place_id = w.place_id and s.product_id = w.product_id
      and s.is_out = ${direction === 'out'}`.execute(tx)
  return fresh
}

async function hold(
  tx: Tx,
  direction: Direction,
  served: readonly Omit<Named, 'witness' | 'quantity'>[],
): Promise<Map<string, Said>> {
  const given = rows('w', served, { serviceId: 'bigint', placeId: 'bigint', productId: 'bigint' })
  const isOut = direction === 'out'
  await sql`insert into fill_said (service_id, place_id, product_id, is_out)
    select distinct w.service_id, w.place_id, w.product_id, ${isOut}::boolean from ${given} order by 1, 2, 3
    on conflict do nothing`.execute(tx)
  const found = await sql<Omit<Named, 'witness' | 'quantity'> & Said>`
    select service_id as "serviceId", place_id as "placeId", product_id as "productId", by_machine as machine,
      by_phone as phone
    from fill_said
    where is_out = ${isOut}
      and (service_id, place_id, product_id) in (select w.service_id, w.place_id, w.product_id from ${given})
    order by service_id, place_id, product_id for update`.execute(tx)
  return new Map(found.rows.map(({ machine, phone, ...of }) => [keyOf(of), { machine, phone }]))
}
