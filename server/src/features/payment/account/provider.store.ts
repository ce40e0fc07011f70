import { randomBytes } from 'node:crypto'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import type { addProviderAccount } from '@aisle/contract/payment/provider'
import { sql } from 'kysely'
import type { AuthKeys, Reader } from '../../../kernel/context'
import { only } from '../../../kernel/must'
import { seal } from '../../../kernel/seal'
import type { ReadKey } from './key.rules'

/** With a token of its own, by which its notifications find it. */
export async function insertProvider(db: Reader, of: InputOf<typeof addProviderAccount>, at: Date): Promise<number> {
  const token = randomBytes(24).toString('base64url')
  const made = await sql<{ id: number }>`insert into provider_account (merchant_id, provider, name, acquirer_id,
      environment, app_id, provider_no, gateway, token, created_at)
    values (${of.merchantId}, ${of.provider}, ${of.name}, ${of.acquirerId ?? null}::bigint,
      ${of.environment}, ${of.appId}, ${of.providerNo}, ${of.gateway}, ${token}, ${at}) returning id`.execute(db)
  return only(made).id
}

type NewKey = ReadKey & { id: number; userId: number | null; at: Date }

/** In the place of the one of its kind; what is secret under the seal. */
export async function putKey(db: Reader, keys: AuthKeys, { id, kind, text, isSecret, ...of }: NewKey): Promise<void> {
  const sealed = isSecret ? seal(keys, `provider:${id}:${kind}`, text) : null
  await sql`insert into provider_key (provider_account_id, kind, sealed, pem, fingerprint, serial, subject,
      valid_until, set_by, set_at)
    values (${id}, ${kind}, ${sealed}, ${isSecret ? null : text}, ${of.fingerprint}, ${of.serial}, ${of.subject},
      ${of.validUntil}, ${of.userId}, ${of.at})
    on conflict (provider_account_id, kind) do update set sealed = excluded.sealed, pem = excluded.pem,
      fingerprint = excluded.fingerprint, serial = excluded.serial, subject = excluded.subject,
      valid_until = excluded.valid_until, set_by = excluded.set_by, set_at = excluded.set_at`.execute(db)
}
