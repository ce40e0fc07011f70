import { randomUUID } from 'node:crypto'
import type { MediaKind } from '@aisle/contract/advert/creative'
import { publicAddress } from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import { announce } from '../../kernel/announce'
import type { Services, Tx } from '../../kernel/context'
import { must } from '../../kernel/must'
import { atSite, settingOf } from '../../kernel/settings'
import {
  cameToNothing,
  cancelCommands,
  isTaken,
  knowsNewer,
  queueCommands,
  settleEnded,
  versionOfMinute,
} from '../device/public'
import { linksOf } from './link'
import type { Ad } from './playlist.rules'
import { keepMet, wantedLists } from './wanted.reads'

/** A machine that could not take its list is asked again after so long, with new addresses. */
const AGAIN_MS = 3_600_000
/** A day more than a command waits for its machine. */
const LINKS_LIVE_MS = 8 * 24 * 3_600_000

/**
 * Every machine whose list has changed hears of the new one, whatever changed it: a booking, a day that has come, a
 * machine that stands elsewhere now. What is as it was is told to nobody, so it may run as often as it likes; one at a
 * time, or a machine would be told twice.
 */
export async function tellMachines({ db, clock, keys }: Services): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('advert.tellMachines'))`.execute(tx)
    const now = clock.now()
    await noteReported(tx)
    const wanted = await wantedLists(tx, now)
    await keepMet(tx, wanted)
    const due = await findDue(
      tx,
      wanted.map(({ machineId, ads }) => ({ machineId, ads: JSON.stringify(ads) })),
      now,
    )
    if (due.length > 0) await ask(tx, keys, due, now)
  })
}

/** A list that its machine has taken stays taken when its command is long forgotten. */
async function noteReported(tx: Tx): Promise<void> {
  await sql`update advert_list l set reported_version = l.version from device_command c
    where c.id = l.command_id and ${isTaken}
      and l.reported_version is distinct from l.version`.execute(tx)
}

type Due = { machineId: number; merchantId: number; version: number; ads: Ad[] }

/**
 * Machines with another list than they were told, with none any more, or whose command came to nothing; with a version
 * above its own for one that says that it knows a newer.
 */
async function findDue(tx: Tx, wanted: readonly { machineId: number; ads: string }[], now: Date): Promise<Due[]> {
  const found = await sql<Due>`
    with lists as (
      select coalesce(w.machine_id, l.machine_id) as machine_id, coalesce(w.ads, '[]') as ads, l.ads as told,
        coalesce(l.version, 0) as version, l.reported_version, l.asked_at, l.command_id
      from ${rows('w', wanted, { machineId: 'bigint', ads: 'jsonb' })}
      full join advert_list l on l.machine_id = w.machine_id)
    select m.id as "machineId", m.merchant_id as "merchantId", l.ads,
      case when l.ads is distinct from l.told then l.version + 1
        when ${knowsNewer} then greatest(l.version + 1, ${versionOfMinute(now)}::int) else l.version end as version
    from lists l join machine m on m.id = l.machine_id and m.retired_at is null
    left join device_command c on c.id = l.command_id
    where (l.ads is distinct from l.told and (l.told is not null or l.ads <> '[]'))
      or (l.reported_version is distinct from l.version and (${cameToNothing} or ${knowsNewer})
        and l.asked_at < ${new Date(now.getTime() - AGAIN_MS)})
    order by m.id`.execute(tx)
  return found.rows
}

/** What no machine has taken yet is taken back: who comes back hears the newest list and no other. */
async function ask(tx: Tx, keys: Services['keys'], due: readonly Due[], now: Date): Promise<void> {
  const machineIds = due.map(({ machineId }) => machineId)
  const old = sql`c.type = 'push_ads' and c.machine_id = any(${machineIds}::bigint[])`
  await settleEnded(tx, await cancelCommands(tx, old, now), now)
  const files = await findFiles(tx, due)
  const links = await linksOf(tx, keys, [...files.values()], new Date(now.getTime() + LINKS_LIVE_MS))
  const site = await settingOf(tx, publicAddress, null)
  const asked = due.map((each) => ({ ...each, id: randomUUID() }))
  const told = ({ ad, creativeId, bookingId: _, ...when }: Ad) => {
    const { sha256, ...file } = must(files.get(creativeId), 'creative')
    const path = must(links.get(sha256), 'link')
    return { ad, url: atSite(site, path) ?? path, sha256, ...file, ...when }
  }
  const commands = asked.map(({ id, machineId, merchantId, version, ads }) => {
    const data = { version, ads: ads.map(told) }
    return { id, machineId, merchantId, type: 'push_ads' as const, data, reason: null, createdBy: null }
  })
  await queueCommands(tx, commands, now)
  const kept = asked.map(({ id, machineId, version, ads }) => ({ id, machineId, version, ads: JSON.stringify(ads) }))
  await sql`insert into advert_list as l (machine_id, version, ads, wanted_at, command_id, asked_at)
    select machine_id, version, ads, ${now}, id, ${now}
    from ${rows('k', kept, { id: 'uuid', machineId: 'bigint', version: 'int', ads: 'jsonb' })}
    on conflict (machine_id) do update set ads = excluded.ads, command_id = excluded.command_id,
      asked_at = excluded.asked_at, version = excluded.version,
      wanted_at = case when l.version = excluded.version then l.wanted_at else excluded.wanted_at end`.execute(tx)
  await announce(tx, { topic: 'commands', machineIds })
}

type File = { sha256: string; bytes: number; media: MediaKind; seconds: number }

async function findFiles(tx: Tx, due: readonly Due[]): Promise<Map<number, File>> {
  const named = [...new Set(due.flatMap(({ ads }) => ads.map(({ creativeId }) => creativeId)))]
  const found = await sql<File & { id: number }>`select id, sha256, bytes, media, seconds from creative
    where id = any(${named}::bigint[])`.execute(tx)
  return new Map(found.rows.map(({ id, ...file }) => [id, file]))
}
