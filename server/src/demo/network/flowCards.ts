import { isIccid } from '@aisle/contract/fleet/flowCard'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Tx } from '../../kernel/context'
import { DAY_MS } from '../calendar'
import type { DemoMachine } from './network'
import { idOf, type Ids } from '../people/people'
import { randomFrom, seedOf } from '../random'

const HISTORY_DAYS = 62
const SPARES = 6
const carriers = ['cmcc', 'cmcc', 'cucc', 'ctcc'] as const
const issuers = { cmcc: '898600', cucc: '898601', ctcc: '898603' } as const

/** A card in each machine with two months of use, and a few spare ones a region: some expiring, some over. */
export async function seedFlowCards(
  tx: Tx,
  machines: readonly DemoMachine[],
  ids: { machines: Ids; merchants: Ids },
  now: Date,
): Promise<void> {
  const inMachines = machines.map(({ code, merchant }) => cardOf(code, idOf(ids.merchants, merchant), now, code))
  const owners = [...new Set(machines.map(({ point }) => point.merchant))]
  const spare = owners.flatMap((merchant) =>
    Array.from({ length: SPARES }, (_, at) => {
      const card = cardOf(`${merchant}/${at}`, idOf(ids.merchants, merchant), now, null)
      // The drawer of each holds one that nobody threw away.
      return at === 0 ? { ...card, expiresOn: dayFrom(now, -20) } : card
    }),
  )
  const cards = [...inMachines, ...spare].map((card) => ({
    ...card,
    machineId: card.machine === null ? null : idOf(ids.machines, card.machine),
  }))
  await sql`insert into flow_card (merchant_id, iccid, imei, imsi, phone, carrier, type, machine_id, plan_mb, alarm_mb,
      opened_on, expires_on, created_at)
    select c.*, c.opened_on from ${rows('c', cards, {
      merchantId: 'bigint',
      iccid: 'text',
      imei: 'text',
      imsi: 'text',
      phone: 'text',
      carrier: 'text',
      type: 'text',
      machineId: 'bigint',
      planMb: 'int',
      alarmMb: 'int',
      openedOn: 'date',
      expiresOn: 'date',
    })}`.execute(tx)
  // As much as a screen with small films takes, a little more on some machines; today has only begun.
  await sql`insert into flow_day (card_id, day, used_kb)
    select f.id, d::date, (12000 + abs(hashtext(f.iccid)) % 30000 + abs(hashtext(f.iccid || d::date)) % 22000)
      / case when d::date = ${now}::date then 3 else 1 end
    from flow_card f, generate_series(${now}::date - ${HISTORY_DAYS}::int, ${now}::date, interval '1 day') d
    where f.machine_id is not null and d >= f.opened_on`.execute(tx)
  await sql`insert into flow_month (card_id, month, used_kb)
    select card_id, date_trunc('month', day)::date, sum(used_kb) from flow_day group by 1, 2`.execute(tx)
}

const dayFrom = (now: Date, days: number) => new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10)

function cardOf(name: string, merchantId: number, now: Date, machine: string | null) {
  const random = randomFrom(seedOf(`${name}/card`))
  const carrier = random.pick(carriers)
  const digits = (count: number) => Array.from({ length: count }, () => String(random.between(0, 9))).join('')
  // Two or three in a hundred need somebody.
  const isEnding = random.chance(0.03)
  const isOver = machine !== null && random.chance(0.02)
  return {
    merchantId,
    machine,
    carrier,
    iccid: checked(issuers[carrier] + digits(13)),
    imei: machine === null ? '' : `86${digits(13)}`,
    imsi: `460${digits(12)}`,
    phone: `14${random.between(4, 9)}${digits(10)}`,
    type: random.pick(['nano', 'nano', 'micro', 'industrial'] as const),
    planMb: random.pick([1024, 2048, 3072] as const),
    alarmMb: isOver ? 200 : random.pick([1800, 2500, 0] as const),
    openedOn: dayFrom(now, -random.between(100, 700)),
    expiresOn: dayFrom(now, isEnding ? random.between(-3, 26) : random.between(60, 900)),
  }
}

/** With the digit that the others ask for. */
function checked(digits: string): string {
  const last = Array.from({ length: 10 }, (_, digit) => digits + String(digit)).find(isIccid)
  if (!last) throw new Error(`no check digit fits ${digits}`)
  return last
}
