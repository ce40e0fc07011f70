import type { CallOf } from '@aisle/contract/kernel/endpoint'
import { addBatch } from '@aisle/contract/pickup/batch'
import { sql } from 'kysely'
import { aboutCode } from '../../features/pickup/secret'
import type { Tx } from '../../kernel/context'
import { unseal } from '../../kernel/seal'
import { randomFrom, seedOf } from '../random'
import type { Past } from './within'

type Paper = { code: string; product: string }
/** What a machine's customers carry: codes to pick up and prescriptions, each for a product; cards and coupons. */
export type Held = { codes: Paper[]; cards: string[]; prescriptions: Paper[]; vouchers: string[] }
export type MachineHeld = Map<string, Held>

/** Of the goods that most machines of a merchant sell, so many are given away by code. */
const PRODUCTS = 3
const CODES_A_MACHINE = 3
/** A code of the staff is good for a month of mornings. */
const PICKUPS = 30
const CARDS_A_MACHINE = 6

/**
 * Codes that merchants give their staff, and which cards are shown where. The simulated customers have them as real
 * ones would: the codes as they were printed when they were issued, the cards by what stands on them. Comes after the
 * cards. @returns by the code of the machine
 */
export async function handHeld(past: Past): Promise<MachineHeld> {
  const { tx } = past
  const held: MachineHeld = new Map()
  for (const goods of await usualGoods(tx, PRODUCTS)) {
    for (const [at, code] of (await issue(past, goods)).entries()) {
      const machine = goods.machines[Math.floor(at / CODES_A_MACHINE)]
      if (machine) heldAt(held, machine).codes.push({ code, product: goods.product })
    }
  }
  const cards = await sql<{ machine: string; cards: string[] }>`
    select m.code as machine, array_agg(c.physical_no order by c.id) as cards from machine m
    join merchant owner on owner.id = m.merchant_id
    join member_card c on c.merchant_id = any(owner.path) and c.state = 'active' and not c.is_restricted
    group by m.code`.execute(tx)
  for (const { machine, cards: near } of cards.rows) {
    const random = randomFrom(seedOf(`${machine}/cards`))
    heldAt(held, machine).cards.push(...new Set(Array.from({ length: CARDS_A_MACHINE }, () => random.pick(near))))
  }
  return held
}

export function heldAt(held: MachineHeld, machine: string): Held {
  const known = held.get(machine) ?? { codes: [], cards: [], prescriptions: [], vouchers: [] }
  held.set(machine, known)
  return known
}

type Usual = { merchantId: number; product: string; name: string; machines: string[] }

/** The goods that stand in the most machines of each merchant, most first. */
export async function usualGoods(tx: Tx, most: number): Promise<Usual[]> {
  const found = await sql<Usual>`
    select merchant_id as "merchantId", product, name, machines from (
      select m.merchant_id, p.id as product_id, p.code as product, p.name, array_agg(distinct m.code) as machines,
        row_number() over (partition by m.merchant_id order by count(distinct m.id) desc, p.id) as place
      from machine m join slot s on s.machine_id = m.id join product p on p.id = s.product_id
      where m.category <> 'medicine' and p.medicine_class is null and p.state = 'online'
      group by m.merchant_id, p.id, p.code, p.name) ranked
    where place <= ${most} order by merchant_id, place`.execute(tx)
  return found.rows
}

/** A batch of codes with all that is in it, now. @returns its id */
export async function makeBatch({ as, run }: Past, batch: CallOf<typeof addBatch>): Promise<number> {
  const { id } = await as('deputy', addBatch, batch)
  await run('pickup.makeCodes', { batchId: id })
  return id
}

/** As they are printed when they are issued. */
async function issue(past: Past, { merchantId, product, name, machines }: Usual): Promise<string[]> {
  const { tx, services } = past
  const about = { description: `员工福利 · ${name}`, pickupsAllowed: PICKUPS, count: machines.length * CODES_A_MACHINE }
  const batch = { ...about, merchantId, content: product }
  const id = await makeBatch(past, batch)
  const codes = await sql<{ digest: Buffer; sealed: Buffer }>`select digest, sealed from pickup_code
    where batch_id = ${id} order by serial`.execute(tx)
  return codes.rows.map(({ digest, sealed }) => unseal(services.keys, aboutCode(digest), sealed))
}
