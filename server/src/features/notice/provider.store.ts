import { type ProviderConfig, zProviderConfig } from '@aisle/contract/notice/pushSetting'
import { sql } from 'kysely'
import type { AuthKeys, Reader, Tx } from '../../kernel/context'
import { only } from '../../kernel/must'
import { seal, unseal } from '../../kernel/seal'

export type ProviderRow = {
  id: number
  channel: 'sms' | 'email'
  isOn: boolean
  config: ProviderConfig
  secret: Buffer | null
  version: number
}

const columns = sql`id, channel, is_on as "isOn", config, secret, version`
const about = (channel: string) => `push_provider:${channel}`

export async function all(db: Reader): Promise<ProviderRow[]> {
  const found = await sql<ProviderRow>`select ${columns} from push_provider order by channel desc`.execute(db)
  return found.rows.map((row) => ({ ...row, config: zProviderConfig.parse(row.config) }))
}

export async function lock(tx: Reader, channel: string): Promise<ProviderRow | undefined> {
  const found = await sql<ProviderRow>`select ${columns} from push_provider where channel = ${channel}
    for update`.execute(tx)
  return found.rows[0]
}

export async function hasProvider(db: Reader, channel: string): Promise<boolean> {
  const found = await sql`select 1 from push_provider where channel = ${channel}`.execute(db)
  return found.rows.length > 0
}

/** @returns its version from now on */
export async function write(tx: Tx, row: Omit<ProviderRow, 'id' | 'version'>): Promise<number> {
  const { channel, isOn, config, secret } = row
  const saved = await sql<{ version: number }>`insert into push_provider (channel, kind, is_on, config, secret)
    values (${channel}, ${config.kind}, ${isOn}, ${JSON.stringify(config)}, ${secret})
    on conflict (channel) do update set kind = excluded.kind, is_on = excluded.is_on, config = excluded.config,
      secret = excluded.secret, version = push_provider.version + 1 returning version`.execute(tx)
  return only(saved).version
}

export const sealSecret = (keys: AuthKeys, channel: string, secret: string): Buffer =>
  seal(keys, about(channel), secret)
export const openSecret = (keys: AuthKeys, { channel, secret }: ProviderRow): string =>
  secret ? unseal(keys, about(channel), secret) : ''
