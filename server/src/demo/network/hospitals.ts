import { hospitalLevels } from '@aisle/contract/fleet/hospital'
import { sql } from 'kysely'
import type { Tx } from '../../kernel/context'
import { givenNames, surnames } from '../data/names'
import type { DemoMachine, DemoPoint } from './network'
import { idOf, type Ids } from '../people/people'
import { randomFrom, seedOf } from '../random'

const buildings: Record<string, readonly string[]> = {
  门诊楼: ['内科', '外科', '儿科', '妇产科', '眼科', '口腔科', '皮肤科'],
  急诊楼: ['急诊科', '输液室'],
  住院部: ['心内科', '呼吸科', '骨科', '神经内科'],
  医技楼: ['影像科', '检验科', '体检中心'],
}

/** A hospital for each place of the kind, which its machines then stand in. */
export async function seedHospitals(
  tx: Tx,
  machines: readonly DemoMachine[],
  merchantIds: Ids,
  at: Date,
): Promise<void> {
  const points = new Map(machines.map(({ point }) => [point.name, point]))
  const planned = [...points.values()].filter(({ kind }) => kind === 'hospital').map(planHospital)
  if (planned.length === 0) return
  const made = await tx
    .insertInto('hospital')
    .values(
      planned.map(({ merchant, rooms: _, ...hospital }) => ({
        ...hospital,
        merchantId: idOf(merchantIds, merchant),
        createdAt: at,
      })),
    )
    .returning(['id', 'name'])
    .execute()
  await sql`update point set hospital_id = hospital.id from hospital
    where point.kind = 'hospital' and point.merchant_id = hospital.merchant_id and point.name = hospital.name`.execute(
    tx,
  )
  const rooms = made.flatMap(({ id: hospitalId, name }) =>
    (planned.find((each) => each.name === name)?.rooms ?? []).map((room, sort) => ({ ...room, hospitalId, sort })),
  )
  await tx.insertInto('hospitalDepartment').values(rooms).execute()
}

function planHospital({ merchant, name, province, city, address }: DemoPoint) {
  const random = randomFrom(seedOf(`${name}/hospital`))
  const rooms = Object.entries(buildings).flatMap(([building, names]) =>
    names.filter(() => random.chance(0.7)).map((room) => ({ building, name: room })),
  )
  return {
    merchant,
    name,
    // Big ones are where machines pay: mostly third level.
    level: random.pick(hospitalLevels.slice(1, random.chance(0.7) ? 3 : 6)),
    province,
    city,
    district: /^.{1,4}?[区县]/.exec(address)?.[0] ?? '',
    address,
    contact: random.pick(surnames) + random.pick(givenNames),
    phone: `0${random.between(21, 99)}${random.between(0, 9)}-${random.between(60_000_000, 88_999_999)}`,
    rooms,
  }
}
