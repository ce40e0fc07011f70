import { addArea, addDistrict } from '@aisle/contract/fleet/area'
import { addHospital, hospitalLevels } from '@aisle/contract/fleet/hospital'
import { addPoint, stopPoint } from '@aisle/contract/fleet/point'
import type { Past } from '../life/within'
import { departments, rooms } from '../data/places'
import type { DemoMachine, DemoPoint } from './network'
import { nameFrom, phoneFrom, randomFrom, seedOf } from '../random'

/**
 * The operators' own maps and what stands on them: a province is an area, a city's part that the address names a
 * district; a hospital has a point for each building and floor with machines.
 */
export async function addPlaces({ as, ids, idOf }: Past, machines: readonly DemoMachine[]): Promise<void> {
  const [areas, districts, hospitals] = [new Map(), new Map(), new Map()]
  const once = async (known: Map<string, number>, key: string, add: () => Promise<{ id: number }>) => {
    const id = known.get(key) ?? (await add()).id
    known.set(key, id)
    return id
  }
  for (const { point, site } of machines) {
    const merchantId = idOf('merchant', point.merchant)
    const [area, district] = [areaOf(point), districtOf(point)]
    const areaId = await once(areas, `${merchantId}/${area}`, () => as('admin', addArea, { merchantId, name: area }))
    const districtId = await once(districts, `${areaId}/${district}`, () =>
      as('admin', addDistrict, { id: areaId, name: district }),
    )
    const hospitalId =
      point.kind === 'hospital'
        ? await once(hospitals, point.name, () => as('admin', addHospital, { ...planHospital(point), merchantId }))
        : null
    await once(ids.point, site.name, async () => {
      const { name, kind, province, city, address, longitude, latitude } = { ...point, name: site.name }
      const random = randomFrom(seedOf(`${name}/contract`))
      const where = { building: site.building || random.pick(rooms[kind]), floor: site.floor || random.pick(floors) }
      // A shop of one's own asks no rent.
      const rentFen = kind === 'store' ? 0 : random.between(3, 40) * 10_000
      const contract = { contact: nameFrom(random), phone: phoneFrom(random), rentFen }
      const about = { name, kind, province, city, address, position: { longitude, latitude }, ...where, ...contract }
      return as('admin', addPoint, { ...about, merchantId, districtId, hospitalId })
    })
  }
}

/** Where no more machines are wanted; those that stand there go on. */
export async function stopPoints({ as, ids }: Past): Promise<void> {
  for (const [name, id] of ids.point) if (seedOf(`${name}/stops`) % 50 === 0) await as('admin', stopPoint, { id })
}

const floors = ['1 层', '1 层', '2 层', '负一层'] as const

const areaOf = ({ province }: DemoPoint) => province.replace(/(省|市|(壮族|回族|维吾尔)?自治区)$/, '') || '大区'

const districtOf = ({ city, address }: DemoPoint) =>
  [city.replace(/市$/, ''), /^[^0-9 ]{1,6}?[区县市]/.exec(address)?.[0]].filter(Boolean).join(' ')

function planHospital({ name, province, city, address }: DemoPoint) {
  const random = randomFrom(seedOf(`${name}/hospital`))
  const area = `0${random.between(21, 99)}${random.between(0, 9)}`
  return {
    name,
    // Big ones are where machines pay: mostly third level.
    level: random.pick(hospitalLevels.slice(1, random.chance(0.7) ? 3 : 6)),
    province,
    city,
    district: /^.{1,4}?[区县]/.exec(address)?.[0] ?? '',
    address,
    contact: nameFrom(random),
    phone: `${area}-${random.between(60_000_000, 88_999_999)}`,
    departments: departments.filter(() => random.chance(0.7)),
  }
}
