import { addOrganisation, stopOrganisation } from '@aisle/contract/people/organisation'
import { addUser, setUserRoles, setUserState } from '../../features/identity/public'
import { addFirstLicence } from '../../features/merchant/public'
import { putWork } from '../../features/people/doctor.store'
import { DAY_MS, HOUR_MS } from '../calendar'
import { DEMO_OPERATOR, PLATFORM } from '../data/merchants'
import { givenNames, surnames } from '../data/names'
import { practitioners, type UnitSeed, units } from '../data/staff'
import type { Past } from '../life/within'
import { idOf, type Ids } from './people'
import { type Random, randomFrom, seedOf } from '../random'

type About = { merchants: Ids; users: Ids; roles: Ids }

const nameFrom = (random: Random) => random.pick(surnames) + random.pick(givenNames)
const phoneFrom = (random: Random) => `13${random.between(5, 9)}${random.between(10_000_000, 99_999_999)}`

/**
 * Who works where: units, the accounts of the demo in them, colleagues with roles, doctors and pharmacists with their
 * licences. The colleagues have no passwords: nobody signs in as them. @returns units by merchant and name
 */
export async function addStaff(past: Past, about: About): Promise<Ids> {
  const { as, tx } = past
  const unitIds = new Map<string, number>()
  for (const unit of units) {
    const { merchant, parent, name, kind, isStopped = false, accounts = [] } = unit
    const parentId = parent === null ? null : idOf(unitIds, `${merchant}/${parent}`)
    const merchantId = idOf(about.merchants, merchant)
    const { id } = await as('admin', addOrganisation, { merchantId, parentId, name, kind })
    unitIds.set(`${merchant}/${name}`, id)
    if (isStopped) await as('admin', stopOrganisation, { id })
    for (const account of accounts) {
      const phone = `1390571${String(seedOf(account) % 10_000).padStart(4, '0')}`
      await tx.updateTable('appUser').set({ organisationId: id, phone }).where('account', '=', account).execute()
    }
    await addColleagues(past, about, unit, id)
  }
  await addPractitioners(past, about, idOf(unitIds, 'EAST/药事服务部'))
  return unitIds
}

async function addColleagues(
  { tx, latestMs }: Past,
  { merchants, roles }: About,
  { merchant, name: unit, staff = 0, role = '', isStopped = false }: UnitSeed,
  organisationId: number,
): Promise<void> {
  for (let index = 0; index < staff; index += 1) {
    const random = randomFrom(seedOf(`staff/${merchant}/${unit}/${index}`))
    const account = `${merchant.toLowerCase()}${1000 + (seedOf(`${merchant}/${unit}/${index}`) % 9000)}`
    const kind = role === '商户管理员' ? ('merchant_admin' as const) : ('ordinary' as const)
    const joinedAt = new Date(latestMs - random.between(20, 800) * DAY_MS)
    const person = { account, name: nameFrom(random), kind, phone: phoneFrom(random), language: 'zh' as const }
    const id = await addUser(tx, { ...person, merchantId: idOf(merchants, merchant), organisationId }, joinedAt)
    await setUserRoles(tx, id, [roles.get(`${merchant}/${role}`) ?? idOf(roles, `${PLATFORM}/${role}`)])
    if (isStopped || random.chance(0.06)) await setUserState(tx, id, 'disabled')
    // Whoever joined lately has not been there yet.
    if (random.chance(0.12)) continue
    const seen = { at: new Date(latestMs - random.between(1, 90) * HOUR_MS), ip: `203.0.113.${(id % 200) + 1}` }
    await tx
      .insertInto('signInLog')
      .values({ ...seen, account, userId: id, agent: 'Mozilla/5.0', outcome: 'ok' })
      .execute()
  }
}

async function addPractitioners({ tx, latestMs }: Past, { merchants, users, roles }: About, eastUnit: number) {
  const hospitals = await tx.selectFrom('hospital').select(['id', 'merchantId']).orderBy('id').execute()
  for (const [rank, { merchant, account, profession, department, daysLeft }] of practitioners.entries()) {
    const random = randomFrom(seedOf(`practitioner/${rank}`))
    const merchantId = idOf(merchants, merchant)
    const name = nameFrom(random)
    const at = new Date(latestMs - random.between(60, 700) * DAY_MS)
    const organisationId = merchant === 'EAST' ? eastUnit : null
    const person = { account, name, kind: 'doctor' as const, phone: phoneFrom(random), language: 'zh' as const }
    const userId = await addUser(tx, { ...person, merchantId, organisationId }, at)
    await setUserRoles(tx, userId, [idOf(roles, `${PLATFORM}/${profession === 'doctor' ? '医生' : '药师'}（模板）`)])
    const own = hospitals.filter((each) => each.merchantId === merchantId)
    const hospitalId = department === '' ? null : (own[rank % Math.max(1, own.length)]?.id ?? null)
    await putWork(tx, userId, { profession, hospitalId, department })
    const holder = { merchantId, userId, holder: name, profession }
    if (daysLeft !== undefined) await addFirstLicence(tx, { ...holder, ...termOf(random, daysLeft, latestMs), at })
  }
  for (const [account, name, profession, department] of ownPractitioners) {
    const userId = idOf(users, account)
    await putWork(tx, userId, { profession, hospitalId: null, department })
    const holder = { merchantId: idOf(merchants, DEMO_OPERATOR), userId, holder: name, profession }
    const term = termOf(randomFrom(seedOf(`practitioner/${account}`)), profession === 'doctor' ? null : 640, latestMs)
    await addFirstLicence(tx, { ...holder, ...term, at: new Date(latestMs - 200 * DAY_MS) })
  }
}

const ownPractitioners = [
  ['doctor', '程亦安', 'doctor', '内科'],
  ['pharmacist', '顾清如', 'pharmacist', '药剂科'],
] as const

/** @param daysLeft null for one without an end */
function termOf(random: Random, daysLeft: number | null, nowMs: number) {
  const day = (offset: number) => new Date(nowMs + offset * DAY_MS).toISOString().slice(0, 10)
  const number = `${random.between(1_100_000, 9_899_999)}${random.between(10_000_000, 99_999_999)}`
  const validTo = daysLeft === null ? null : day(daysLeft)
  return { number, issuedBy: '市卫生健康委员会', validFrom: day((daysLeft ?? 400) - 1826), validTo }
}
