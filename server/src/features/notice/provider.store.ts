import { type ProviderConfig, zProviderConfig } from '@aisle/contract/notice/pushSetting'
import { sql } from 'kysely'
import type { AuthKeys, Reader } from '../../kernel/context'
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

export const sealSecret = (keys: AuthKeys, channel: string, secret: string): Buffer =>
  seal(keys, about(channel), secret)
export const openSecret = (keys: AuthKeys, { channel, secret }: ProviderRow): string =>
  secret ? unseal(keys, about(channel), secret) : ''
