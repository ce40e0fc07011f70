import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Tx } from '../../kernel/context'
import { DAY_MS, HOUR_MS } from '../calendar'
import { DEMO_OPERATOR } from '../data/merchants'
import { givenNames, surnames } from '../data/names'
import { practitioners, units } from '../data/staff'
import { idOf, type Ids } from './people'
import { randomFrom, seedOf } from '../random'

type About = { merchants: Ids; users: Ids }

/**
 * Who works where: units, the accounts of the demo in them, colleagues with roles, doctors and pharmacists with their
 * licences and machines. The colleagues have no passwords: nobody signs in as them. Comes after roles and hospitals.
 */
export async function seedStaff(tx: Tx, ids: About, now: Date): Promise<void> {
  for (const { merchant, parent, name, kind, isStopped = false } of units) {
    const merchantId = idOf(ids.merchants, merchant)
    // One by one: a child's path is taken from its parent's row.
    await sql`insert into organisation (merchant_id, parent_id, name, kind, state, path)
      values (${merchantId}, (select id from organisation where merchant_id = ${merchantId} and name = ${parent}),
        ${name}, ${kind}, ${isStopped ? 'stopped' : 'active'}, '{}')`.execute(tx)
  }
  const ofAccounts = units.flatMap(({ merchant, name, accounts = [] }) =>
    accounts.map((account) => ({ userId: idOf(ids.users, account), merchantId: idOf(ids.merchants, merchant), name })),
  )
  await sql`update app_user set organisation_id = o.id, phone = '1390571' || lpad((app_user.id % 10000)::text, 4, '0')
    from ${rows('a', ofAccounts, { userId: 'bigint', merchantId: 'bigint', name: 'text' })}
    join organisation o on o.merchant_id = a.merchant_id and o.name = a.name
    where app_user.id = a.user_id`.execute(tx)
  await seedColleagues(tx, ids, now)
  await seedPractitioners(tx, ids, now)
}

function colleaguesOf(ids: About, now: Date) {
  let number = 1000
  return units.flatMap(({ merchant, name: unit, staff = 0, role = '', isStopped = false }) =>
    Array.from({ length: staff }, (_, index) => {
      number += 1
      const random = randomFrom(seedOf(`staff/${merchant}/${unit}/${index}`))
      const joinedAt = new Date(now.getTime() - random.between(20, 800) * DAY_MS)
      return {
        merchantId: idOf(ids.merchants, merchant),
        unit,
        role,
        account: `${merchant.toLowerCase()}${number}`,
        name: random.pick(surnames) + random.pick(givenNames),
        kind: role === '商户管理员' ? 'merchant_admin' : 'ordinary',
        state: isStopped || random.chance(0.06) ? 'disabled' : 'active',
        phone: `13${random.between(5, 9)}${random.between(10_000_000, 99_999_999)}`,
        joinedAt,
        // Whoever joined lately has not been there yet.
        seenAt: random.chance(0.12) ? null : new Date(now.getTime() - random.between(1, 90) * HOUR_MS),
      }
    }),
  )
}

async function seedColleagues(tx: Tx, ids: About, now: Date): Promise<void> {
  const colleagues = colleaguesOf(ids, now)
  await sql`insert into app_user
      (merchant_id, account, display_name, kind, state, phone, organisation_id, created_at)
    select s.merchant_id, s.account, s.name, s.kind, s.state, s.phone, o.id, s.joined_at
    from ${rows('s', colleagues, {
      merchantId: 'bigint',
      unit: 'text',
      account: 'text',
      name: 'text',
      kind: 'text',
      state: 'text',
      phone: 'text',
      joinedAt: 'timestamptz',
    })} join organisation o on o.merchant_id = s.merchant_id and o.name = s.unit`.execute(tx)
  await sql`insert into user_role (user_id, role_id)
    select u.id, r.id from ${rows('s', colleagues, { account: 'text', role: 'text' })}
    join app_user u on u.account = s.account
    join role r on r.name = s.role and (r.merchant_id = u.merchant_id or r.is_template)`.execute(tx)
  await sql`insert into sign_in_log (at, account, user_id, ip, agent, outcome)
    select s.seen_at, s.account, u.id, '203.0.113.' || (u.id % 200 + 1)::text, 'Mozilla/5.0', 'ok'
    from ${rows('s', colleagues, { account: 'text', seenAt: 'timestamptz' })}
    join app_user u on u.account = s.account where s.seen_at is not null order by s.seen_at`.execute(tx)
}

async function seedPractitioners(tx: Tx, ids: About, now: Date): Promise<void> {
  const day = (offset: number) => new Date(now.getTime() + offset * DAY_MS).toISOString().slice(0, 10)
  const people = practitioners.map(({ merchant, account, profession, department, daysLeft }, rank) => {
    const random = randomFrom(seedOf(`practitioner/${rank}`))
    return {
      profession,
      department,
      account,
      rank,
      merchantId: idOf(ids.merchants, merchant),
      name: random.pick(surnames) + random.pick(givenNames),
      phone: `13${random.between(5, 9)}${random.between(10_000_000, 99_999_999)}`,
      number: daysLeft === undefined ? null : `${1_100_000 + rank * 7_919}${random.between(10_000_000, 99_999_999)}`,
      validFrom: day((daysLeft ?? 400) - 1826),
      validTo: typeof daysLeft === 'number' ? day(daysLeft) : null,
      createdAt: new Date(now.getTime() - random.between(60, 700) * DAY_MS),
    }
  })
  const handed = rows('p', people, {
    profession: 'text',
    department: 'text',
    account: 'text',
    merchantId: 'bigint',
    name: 'text',
    phone: 'text',
    number: 'text',
    validFrom: 'date',
    validTo: 'date',
    rank: 'int',
    createdAt: 'timestamptz',
  })
  await sql`insert into app_user (merchant_id, account, display_name, kind, phone, organisation_id, created_at)
    select p.merchant_id, p.account, p.name, 'doctor', p.phone, o.id, p.created_at from ${handed}
    left join organisation o on o.merchant_id = p.merchant_id and o.name = '药事服务部'`.execute(tx)
  await sql`insert into user_role (user_id, role_id)
    select u.id, r.id from ${handed} join app_user u on u.account = p.account
    join role r on r.is_template
      and r.name = case p.profession when 'doctor' then '医生（模板）' else '药师（模板）' end`.execute(tx)
  await sql`with own as (select id, merchant_id, row_number() over w - 1 as rank,
      count(*) over (partition by merchant_id) as many from hospital window w as (partition by merchant_id order by id))
    insert into doctor (user_id, profession, hospital_id, department)
    select u.id, p.profession, own.id, p.department from ${handed} join app_user u on u.account = p.account
    left join own on own.merchant_id = p.merchant_id and own.rank = p.rank % own.many and p.department <> ''`.execute(
    tx,
  )
  await sql`insert into doctor (user_id, profession, department) values
    (${idOf(ids.users, 'doctor')}, 'doctor', '内科'), (${idOf(ids.users, 'pharmacist')}, 'pharmacist', '药剂科')`.execute(
    tx,
  )
  await sql`insert into licence
      (merchant_id, holder_kind, kind, number, holder, user_id, issued_by, valid_from, valid_to, created_at)
    select p.merchant_id, 'doctor', p.profession || '_practice', p.number, p.name, u.id, '市卫生健康委员会',
      p.valid_from, p.valid_to, p.created_at
    from ${handed} join app_user u on u.account = p.account where p.number is not null`.execute(tx)
  await bindMachines(tx, idOf(ids.merchants, DEMO_OPERATOR))
}

/** Medicine machines of the operator and its pharmacy, a few to each of them. */
async function bindMachines(tx: Tx, merchantId: number): Promise<void> {
  await sql`with standing as (
      select machine.id, row_number() over (order by machine.id) as n from machine
      join merchant on merchant.id = machine.merchant_id
      where merchant.path @> array[${merchantId}]::bigint[] and machine.category = 'medicine'
    ), person as (
      select u.id, row_number() over (order by u.id) as n, count(*) over () as many from app_user u
      join doctor d on d.user_id = u.id where u.merchant_id = ${merchantId}
    )
    insert into machine_grant_user (machine_id, user_id)
    select standing.id, person.id from standing join person on standing.n % person.many + 1 = person.n
    on conflict do nothing`.execute(tx)
}
