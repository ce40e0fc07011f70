import { sql } from 'kysely'
import type { Tx } from '../kernel/context'
import { hours, weekdays } from './data/demand'
import { heldAt, type MachineHeld } from './life/held'
import type { Past } from './life/within'
import { offeredSets } from './medicine/master'
import { writeWhole } from './money/channels'
import type { Planned } from './network/planned'
import { sellsADay } from './network/seasons'

/** What the simulated machines need to sign in and to stand as the database says they do. */
export async function writeFleetFile(
  { services, tx, day }: Past,
  network: readonly Planned[],
  { secrets, held }: { secrets: ReadonlyMap<string, string>; held: MachineHeld },
): Promise<void> {
  const levels = await sql<{ name: string; quantity: number }>`select p.name, l.quantity from stock_level l
    join place p on p.id = l.place_id and p.kind = 'slot'`.execute(tx)
  const stock = new Map(levels.rows.map(({ name, quantity }) => [name, quantity]))
  const packs = await packsOf(tx, day(0))
  const machines = network.map(({ machine, slots, isPlaying }) => {
    const { code, timeZone, category, point } = machine
    const { codes, ...shown } = heldAt(held, code)
    return {
      ...shown,
      code,
      secret: secrets.get(code) ?? '',
      timeZone,
      category,
      isHighGo: isPlaying,
      sells: { aDay: sellsADay(machine), hours: hours[point.kind], weekdays: weekdays[point.kind] },
      codes: codes.map((each) => each.code),
      sets: offeredSets(slots.map((slot) => slot.product?.code ?? null)),
      slots: slots.map(({ code: slot, product, priceFen, capacity }) => ({
        code: slot,
        product: product?.code ?? null,
        priceFen,
        stock: stock.get(`${code} ${slot}`) ?? 0,
        capacity,
        ...packs(`${code} ${slot}`, product?.code),
      })),
    }
  })
  await writeWhole(services.dataDir, 'fleet.json', JSON.stringify({ machines }))
}

/** Of medicine: the codes of what stands in each slot, what of it is past its day, and what its filler brings next. */
async function packsOf(tx: Tx, today: string) {
  const codes = await sql<{ name: string; codes: string[] }>`select p.name, array_agg(t.code order by t.id) as codes
    from trace_code t join place p on p.id = t.place_id group by p.name`.execute(tx)
  const lots = await sql<{ product: string; batch: string; prefix: string }>`
    select distinct on (p.id) p.code as product, b.number as batch, x.prefix from product p
    join medicine_trace_prefix x on x.product_id = p.id and x.level = 'pack'
    join medicine_batch b on b.product_id = p.id and b.state = 'available' order by p.id, b.expires_on desc`.execute(tx)
  const expired = await sql<{ name: string; batch: string; pieces: number }>`
    select distinct on (l.place_id) p.name, b.number as batch, l.quantity as pieces from slot_layer l
    join place p on p.id = l.place_id join medicine_batch b on b.product_id = l.product_id and b.number = l.batch
    where b.expires_on < ${today}::date order by l.place_id, l.sequence`.execute(tx)
  const known = new Map(codes.rows.map(({ name, codes: own }) => [name, own]))
  const lapsed = new Map(expired.rows.map(({ name, ...lot }) => [name, lot]))
  return (slot: string, product: string | undefined) => {
    const lot = lots.rows.find((each) => each.product === product)
    return lot ? { traceCodes: known.get(slot) ?? [], lapsed: lapsed.get(slot) ?? null, lot } : {}
  }
}
