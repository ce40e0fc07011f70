import type { getClientSettings, getEntranceSettings, listSettings } from '@aisle/contract/system/setting'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import {
  brandColour,
  brandLogo,
  brandName,
  entranceBrands,
  dataBegins,
  helperLink,
  manualLink,
  mobileAppLink,
  passwordMax,
  passwordMin,
  phoneRule,
  type Setting,
  settings,
} from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { findPlatform, merchantInSight, type Sight } from '../../kernel/scope'
import { settingOf } from '../../kernel/settings'

type Item = OutputOf<typeof listSettings>['items'][number]
export type Chooser = { id: number; name: string; isRoot: boolean }

/** The merchant whose settings are asked for, where it is in sight. */
export async function chooserInSight(db: Reader, sight: Sight, merchantId: number): Promise<Chooser | null> {
  const found = await sql<Chooser>`select m.id, m.name, m.parent_id is null as "isRoot" from merchant m
    where m.id = ${merchantId} and ${merchantInSight(sight, sql.ref('m.id'))}`.execute(db)
  return found.rows[0] ?? null
}

type Kept = {
  key: string
  merchantId: number | null
  merchantName: string | null
  value: unknown
  version: number
  changedAt: string | null
  changedBy: string | null
}

/** Every setting as it holds for a merchant, in the order of their declaration. */
export async function settingsFor(db: Reader, chooser: Chooser, isPlatform: boolean): Promise<Item[]> {
  const kept = await keptFor(db, chooser.id)
  // Where the server keeps its backups is no merchant's to know.
  const shown = settings.filter(({ group }) => group !== 'backup' || isPlatform)
  return shown.map((setting) =>
    itemOf(
      setting,
      kept.filter(({ key }) => key === setting.key),
      chooser,
      isPlatform,
    ),
  )
}

/** Nearest first: the merchant's own, then those above it, then the platform's without a merchant. */
async function keptFor(db: Reader, merchantId: number): Promise<Kept[]> {
  const found = await sql<Kept>`
    select s.key, s.merchant_id as "merchantId", c.name as "merchantName", s.value, s.version,
      to_json(s.changed_at) #>> '{}' as "changedAt", u.display_name as "changedBy"
    from merchant m join setting s on s.merchant_id is null or s.merchant_id = any(m.path)
    left join merchant c on c.id = s.merchant_id left join app_user u on u.id = s.changed_by
    where m.id = ${merchantId}
    order by array_position(m.path, s.merchant_id) desc nulls last`.execute(db)
  return found.rows
}

function itemOf(setting: Setting, kept: readonly Kept[], chooser: Chooser, isPlatform: boolean): Item {
  const good = kept.filter(({ value }) => setting.schema.safeParse(value).success)
  const ownId = setting.level === 'platform' ? null : chooser.id
  const own = good.find(({ merchantId }) => merchantId === ownId)
  const above = good.find((each) => each !== own)
  const [source, from] = own
    ? (['own', own] as const)
    : above
      ? (['above', above] as const)
      : (['shipped', null] as const)
  return {
    key: setting.key,
    value: from ? from.value : setting.shipped,
    source,
    sourceName: source === 'above' ? (from?.merchantName ?? null) : null,
    inherited: above ? above.value : setting.shipped,
    version: own?.version ?? 0,
    changedAt: from?.changedAt ?? null,
    changedBy: from?.changedBy ?? null,
    mayWrite: setting.level === 'merchant' || isPlatform,
  }
}

export async function clientSettings(db: Reader, merchantId: number): Promise<OutputOf<typeof getClientSettings>> {
  return { ...(await sharedSettings(db, merchantId)), dataBegins: await settingOf(db, dataBegins, merchantId) }
}

/** Nobody is signed in yet: what the platform chose for itself, or for those whom the page is for. */
export async function entranceSettings(
  db: Reader,
  entrance: keyof typeof entranceBrands | undefined,
): Promise<OutputOf<typeof getEntranceSettings>> {
  const rootId = await findPlatform(db)
  const shared = await sharedSettings(db, rootId)
  const partnerId = entrance && (await settingOf(db, entranceBrands[entrance], rootId))
  return {
    ...shared,
    ...(partnerId && { brand: await brandOf(db, partnerId) }),
    mobileAppLink: await settingOf(db, mobileAppLink, rootId),
    helperLink: await settingOf(db, helperLink, rootId),
  }
}

const brandOf = async (db: Reader, merchantId: number | null) => ({
  logo: await settingOf(db, brandLogo, merchantId),
  name: await settingOf(db, brandName, merchantId),
  colour: await settingOf(db, brandColour, merchantId),
})

async function sharedSettings(db: Reader, merchantId: number | null) {
  return {
    brand: await brandOf(db, merchantId),
    phoneRule: await settingOf(db, phoneRule, merchantId),
    passwordMin: await settingOf(db, passwordMin, merchantId),
    passwordMax: await settingOf(db, passwordMax, merchantId),
    manualLink: await settingOf(db, manualLink, merchantId),
  }
}
