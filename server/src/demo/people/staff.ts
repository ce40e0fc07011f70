import { addOrganisation, stopOrganisation } from '@aisle/contract/people/organisation'
import { addUser, type NewUser, setUserRoles, setUserState } from '../../features/identity/public'
import { addFirstLicence } from '../../features/merchant/public'
import { putWork } from '../../features/people/doctor.store'
import { DAY_MS, HOUR_MS } from '../calendar'
import { DEMO_OPERATOR, PLATFORM } from '../data/merchants'
import { ownPractitioners, practitioners, type UnitSeed, units } from '../data/staff'
import type { Past } from '../life/within'
import { nameFrom, phoneFrom, type Random, randomFrom, seedOf } from '../random'

/**
 * Who works where: units, the accounts of the demo in them, colleagues with roles, doctors and pharmacists with their
 * licences. The colleagues have no passwords: nobody signs in as them.
 */
export async function addStaff(past: Past): Promise<void> {
  const { as, ids, idOf, tx } = past
  for (const unit of units) {
    const { merchant, parent, name, kind, isStopped = false, accounts = [] } = unit
    const parentId = parent === null ? null : idOf('unit', `${merchant}/${parent}`)
    const { id } = await as('admin', addOrganisation, { merchantId: idOf('merchant', merchant), parentId, name, kind })
    ids.unit.set(`${merchant}/${name}`, id)
    if (isStopped) await as('admin', stopOrganisation, { id })
    for (const account of accounts) {
      const phone = `1390571${String(seedOf(account) % 10_000).padStart(4, '0')}`
      await tx.updateTable('appUser').set({ organisationId: id, phone }).where('account', '=', account).execute()
    }
    await addColleagues(past, unit, id)
  }
  await addPractitioners(past)
}

type Person = Omit<NewUser, 'merchantId' | 'language'> & { merchant: string; role: string; daysAgo: number }

/** With a role of the merchant, or of the platform's templates. */
async function addPerson({ ids, idOf, latestMs, tx }: Past, { merchant, role, daysAgo, ...person }: Person) {
  const joinedAt = new Date(latestMs - daysAgo * DAY_MS)
  const id = await addUser(tx, { ...person, merchantId: idOf('merchant', merchant), language: 'zh' }, joinedAt)
  await setUserRoles(tx, id, [ids.role.get(`${merchant}/${role}`) ?? idOf('role', `${PLATFORM}/${role}`)])
  ids.user.set(person.account, id)
  return { userId: id, joinedAt }
}

async function addColleagues(past: Past, unit: UnitSeed, organisationId: number): Promise<void> {
  const { latestMs, tx } = past
  const { merchant, name: unitName, staff = 0, role = '', isStopped = false } = unit
  const kind = role === '商户管理员' ? ('merchant_admin' as const) : ('ordinary' as const)
  for (let index = 0; index < staff; index += 1) {
    const random = randomFrom(seedOf(`staff/${merchant}/${unitName}/${index}`))
    const account = `${merchant.toLowerCase()}${1000 + (seedOf(`${merchant}/${unitName}/${index}`) % 9000)}`
    const person = { account, daysAgo: random.between(20, 800), name: nameFrom(random), phone: phoneFrom(random) }
    const { userId } = await addPerson(past, { ...person, merchant, kind, role, organisationId })
    if (isStopped || random.chance(0.06)) await setUserState(tx, userId, 'disabled')
    // Whoever joined lately has not been there yet.
    if (random.chance(0.12)) continue
    const at = new Date(latestMs - random.between(1, 90) * HOUR_MS)
    const seen = { at, ip: `203.0.113.${(userId % 200) + 1}`, agent: 'Mozilla/5.0', outcome: 'ok' as const }
    await tx
      .insertInto('signInLog')
      .values({ ...seen, account, userId })
      .execute()
  }
}

async function addPractitioners(past: Past): Promise<void> {
  const { idOf, latestMs, tx } = past
  const hospitals = await tx.selectFrom('hospital').select(['id', 'merchantId']).orderBy('id').execute()
  for (const [rank, { merchant, account, profession, department, daysLeft }] of practitioners.entries()) {
    const random = randomFrom(seedOf(`practitioner/${rank}`))
    const merchantId = idOf('merchant', merchant)
    const person = { account, name: nameFrom(random), daysAgo: random.between(60, 700), phone: phoneFrom(random) }
    const role = profession === 'doctor' ? '医生（模板）' : '药师（模板）'
    const organisationId = merchant === DEMO_OPERATOR ? idOf('unit', `${merchant}/药事服务部`) : null
    const { userId, joinedAt } = await addPerson(past, { ...person, merchant, kind: 'doctor', role, organisationId })
    const own = hospitals.filter((each) => each.merchantId === merchantId)
    const hospitalId = department === '' ? null : (own[rank % Math.max(1, own.length)]?.id ?? null)
    await putWork(tx, userId, { profession, hospitalId, department })
    if (daysLeft === undefined) continue
    const holder = { merchantId, userId, holder: person.name, profession, at: joinedAt }
    await addFirstLicence(tx, { ...holder, ...termOf(past, random, daysLeft) })
  }
  for (const { account, holder, profession, department, daysLeft } of ownPractitioners) {
    const userId = idOf('user', account)
    await putWork(tx, userId, { profession, hospitalId: null, department })
    const term = termOf(past, randomFrom(seedOf(`practitioner/${account}`)), daysLeft)
    const own = { merchantId: idOf('merchant', DEMO_OPERATOR), userId, holder, profession }
    await addFirstLicence(tx, { ...own, ...term, at: new Date(latestMs - 200 * DAY_MS) })
  }
}

/** @param daysLeft null for one without an end */
function termOf({ day }: Past, random: Random, daysLeft: number | null) {
  const number = `${random.between(1_100_000, 9_899_999)}${random.between(10_000_000, 99_999_999)}`
  const validTo = daysLeft === null ? null : day(daysLeft)
  return { number, issuedBy: '市卫生健康委员会', validFrom: day((daysLeft ?? 400) - 1826), validTo }
}
