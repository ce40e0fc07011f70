import type { ColumnType, Generated } from 'kysely'

type At = ColumnType<Date, Date | string, Date | string>

/**
 * The tables that are read or written through the query builder. Set-based statements of the hot paths are plain SQL
 * beside their store; the migrations are the truth for both.
 */
export type Database = {
  merchant: {
    id: Generated<number>
    parent_id: number | null
    code: string
    name: string
    type: 'platform' | 'ordinary' | 'product' | 'pharmaceutical'
    state: Generated<'active' | 'stopped'>
    collects_payment: Generated<boolean>
    single_session: Generated<boolean>
    time_zone: Generated<string>
    path: ColumnType<number[], never, never>
    created_at: Generated<Date>
  }
  app_user: {
    id: Generated<number>
    merchant_id: number
    account: string
    display_name: string
    kind: 'platform_admin' | 'merchant_admin' | 'ordinary' | 'doctor'
    state: Generated<'active' | 'disabled'>
    phone: string | null
    language: Generated<'zh' | 'en' | 'fr' | 'ko'>
    created_at: Generated<Date>
  }
  session: {
    token_hash: Buffer
    user_id: number
    created_at: At
    last_seen_at: At
    ends_at: At
    ip: string
    agent: string
    ended_at: Date | null
    end_reason: 'sign_out' | 'elsewhere' | 'expired' | 'password' | 'administrator' | 'disabled' | null
  }
  machine: {
    id: Generated<number>
    merchant_id: number
    point_id: number
    code: string
    name: string
    category: 'drink' | 'snack' | 'combo' | 'medicine'
    model: Generated<string>
    manufacturer: Generated<string>
    licence_mode: Generated<'none' | 'retail' | 'hospital'>
    time_zone: Generated<string>
    operation: Generated<'in_operation' | 'stopped'>
    auto_refund: Generated<boolean>
    temperature_min_c: number | null
    temperature_max_c: number | null
    secret_hash: Buffer
    secret_rotated_at: Date | null
    deployed_at: Date | null
    created_at: Generated<Date>
  }
  setting: { key: string; merchant_id: number | null; value: unknown }
}
